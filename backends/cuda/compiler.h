#pragma once

#include "backends/cuda/functions.h"
#include "backends/cuda_hip/compiler.h"

namespace weft::cuda {

/// cuda_hip::Compiler over NVRTC.
class Compiler final : public cuda_hip::Compiler {
 public:
  explicit Compiler(std::shared_ptr<const CompilerFunctions> functions) : nvrtc_(std::move(functions)) {}

  TranslationTarget target() const override { return TranslationTarget::cuda; }
  std::string identity() const override;
  std::vector<std::string> options(const std::string& architecture) const override;
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;

 private:
  std::shared_ptr<const CompilerFunctions> nvrtc_;
};

}  // namespace weft::cuda
