#pragma once

#include "backends/cuda_hip/compiler.h"
#include "backends/hip/functions.h"

namespace weft::hip {

/// hipRTC as cuda_hip::Compiler asks for it.
class Compiler final : public cuda_hip::Compiler {
 public:
  explicit Compiler(std::shared_ptr<const CompilerFunctions> functions) : hiprtc_(std::move(functions)) {}

  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::string identity() const override;
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;

  /// Those that it compiles for, without features: "gfx90a".
  std::vector<std::string> architectures() const;
  /// Why it does not compile for an architecture ("gfx90a:xnack-"); empty where it does.
  std::string refusal(const std::string& architecture) const;

 private:
  std::shared_ptr<const CompilerFunctions> hiprtc_;
};

}  // namespace weft::hip
