#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <weft/translate.h>

namespace weft::cuda_hip {

/// A vendor's run-time compiler. Its library is opened when it is first needed, since packs may have all kernels:
/// identity() and compile() throw unsupported, with the reason, if it does not open. Thread-safe.
class Compiler {
 public:
  virtual ~Compiler() = default;
  virtual TranslationTarget target() const = 0;
  /// Why it does not compile for `architecture`, in words; empty if it does. Opens the library.
  virtual std::string refusal(const std::string& architecture) const = 0;
  /// Name and version, "NVRTC 13.0".
  virtual std::string identity() const = 0;
  /// The options with which it compiles for `architecture` ("sm_90", "gfx90a:xnack-").
  virtual std::vector<std::string> options(const std::string& architecture) const = 0;
  /// Compiles to machine code for `architecture`. `name` is the kernel's, for messages.
  /// Throws compile_failed with the compiler's log, or unsupported for an unknown architecture.
  virtual std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                         const std::string& architecture) const = 0;
  /// Whether kernels compiled for `architecture` may start while the one before them ends: they wait by themselves.
  virtual bool awaits_earlier_launches(const std::string& architecture) const = 0;
};

}  // namespace weft::cuda_hip
