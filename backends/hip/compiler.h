#pragma once

#include "backends/cuda_hip/compiler.h"
#include "backends/hip/functions.h"

namespace weft::hip {

/// cuda_hip::Compiler over hipRTC.
class Compiler final : public cuda_hip::Compiler {
 public:
  explicit Compiler(std::shared_ptr<const CompilerFunctions> functions) : hiprtc_(std::move(functions)) {}

  TranslationTarget target() const override { return TranslationTarget::hip; }
  std::string identity() const override;
  std::vector<std::string> options(const std::string& architecture) const override;
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;

  /// The architectures that it compiles for, without features: "gfx90a".
  std::vector<std::string> architectures() const;
  /// Why it cannot compile for an architecture ("gfx90a:xnack-"); empty if it can.
  std::string refusal(const std::string& architecture) const;

 private:
  std::shared_ptr<const CompilerFunctions> hiprtc_;
};

}  // namespace weft::hip
