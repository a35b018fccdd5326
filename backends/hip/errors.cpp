#include "backends/hip/errors.h"

#include <weft/error.h>

namespace weft::hip {

namespace {

ErrorCode code_of(hipError_t result) {
  // As numbers, for the headers of version 5 lack names for some.
  switch (int(result)) {
    case 2:  // hipErrorOutOfMemory
      return ErrorCode::out_of_memory;
    case 214:  // hipErrorECCNotCorrectable
    case 401:  // hipErrorIllegalState: of a queue that has failed
    case 700:  // hipErrorIllegalAddress
    case 702:  // hipErrorLaunchTimeOut
    case 709:  // hipErrorContextIsDestroyed
    case 710:  // hipErrorAssert
    case 719:  // hipErrorLaunchFailure
      return ErrorCode::device_lost;
    default:
      return ErrorCode::unsupported;
  }
}

}  // namespace

std::string text(const Functions& functions, hipError_t result) {
  const char *name = functions.hipGetErrorName(result), *words = functions.hipGetErrorString(result);
  return std::string(name ? name : "an unlisted error") + " (" + std::to_string(int(result)) + ")" +
         (words && *words ? std::string(": ") + words : "");
}

void check(const Functions& functions, hipError_t result, const std::string& what) {
  if (result == hipSuccess) return;
  const ErrorCode code = code_of(result);
  std::string message = what + " failed: HIP answered " + text(functions, result);
  if (code == ErrorCode::device_lost) message += "; the device is gone, close it and open it anew";
  throw Error(code, message);
}

}  // namespace weft::hip
