#pragma once

#include <functional>
#include <mutex>

#include "backends/cuda_hip/compiler.h"
#include "backends/hip/functions.h"

namespace weft::hip {

/// cuda_hip::Compiler over hipRTC.
class Compiler final : public cuda_hip::Compiler {
 public:
  explicit Compiler(std::function<std::shared_ptr<const CompilerFunctions>()> open) : open_(std::move(open)) {}

  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::string refusal(const std::string& architecture) const override;
  std::string identity() const override;
  std::vector<std::string> options(const std::string& architecture) const override;
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;
  bool awaits_earlier_launches(const std::string&) const override { return false; }

  /// The architectures that it compiles for, without features: "gfx90a".
  std::vector<std::string> architectures() const;

 private:
  const CompilerFunctions& hiprtc() const;

  const std::function<std::shared_ptr<const CompilerFunctions>()> open_;
  mutable std::once_flag opened_;
  mutable std::shared_ptr<const CompilerFunctions> hiprtc_;
};

}  // namespace weft::hip
