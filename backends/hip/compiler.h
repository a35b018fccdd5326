#pragma once

#include "backends/driver/api.h"
#include "backends/hip/comgr.h"
#include "backends/hip/functions.h"

namespace weft::hip {

#define WEFT_HIPRTC_FUNCTIONS(X) \
  X(hiprtcCreateProgram)         \
  X(hiprtcCompileProgram)        \
  X(hiprtcDestroyProgram)        \
  X(hiprtcGetProgramLogSize)     \
  X(hiprtcGetProgramLog)         \
  X(hiprtcGetCodeSize)           \
  X(hiprtcGetCode)               \
  X(hiprtcGetErrorString)

/// hipRTC: libhiprtc.so.7 or .6, or what is part of libamdhip64.so.5, or the file that WEFT_HIPRTC names.
class Compiler final : public driver::Compiler {
 public:
  /// Throws Error(unsupported) with the reason when there is none.
  explicit Compiler(const Functions& driver);

  translate::Target target() const override { return translate::Target::hip; }
  std::string identity() const override { return identity_; }
  std::vector<std::byte> compile(const std::string& source, const std::string& name,
                                 const std::string& architecture) const override;

  /// Why an architecture ("gfx90a:xnack-") cannot be compiled for; empty where it can.
  std::string refusal(const std::string& architecture) const;

 private:
  std::string log(hiprtcProgram program) const;

  driver::Library library_;
#define WEFT_DECLARE(name) decltype(&::name) name = nullptr;
  WEFT_HIPRTC_FUNCTIONS(WEFT_DECLARE)
#undef WEFT_DECLARE
  Comgr comgr_;
  std::vector<std::string> known_;
  std::string identity_;
};

}  // namespace weft::hip
