#pragma once

#include <functional>
#include <mutex>

#include "backends/cuda/functions.h"
#include "backends/cuda_hip/compiler.h"

namespace weft::cuda {

/// cuda_hip::Compiler over NVRTC.
class Compiler final : public cuda_hip::Compiler {
 public:
  explicit Compiler(std::function<std::shared_ptr<const CompilerFunctions>()> open) : open_(std::move(open)) {}

  TranslationTarget target() const override { return TranslationTarget::cuda; }
  std::string refusal(const std::string& architecture) const override;
  std::string identity() const override;
  std::vector<std::string> options(const std::string& architecture) const override;
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;
  bool awaits_earlier_launches(const std::string& architecture) const override;

 private:
  const CompilerFunctions& nvrtc() const;

  const std::function<std::shared_ptr<const CompilerFunctions>()> open_;
  mutable std::once_flag opened_;
  mutable std::shared_ptr<const CompilerFunctions> nvrtc_;
};

}  // namespace weft::cuda
