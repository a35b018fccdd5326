#include <string>

#include <weft/error.h>

#include "backends/hip/functions.h"

namespace weft::hip {

namespace {

// Numbers that have no name in the headers of version 5.
constexpr int launch_failure = 719;

ErrorCode code_of(hipError_t result) {
  switch (int(result)) {
    case hipErrorOutOfMemory:
      return ErrorCode::out_of_memory;
    // Errors that a device's context does not survive.
    case hipErrorIllegalAddress:
    case hipErrorLaunchTimeOut:
    case hipErrorAssert:
    case launch_failure:
    case hipErrorECCNotCorrectable:
    case hipErrorContextIsDestroyed:
    case hipErrorInvalidContext:
    case hipErrorDeinitialized:
    case hipErrorIllegalState:
      return ErrorCode::device_lost;
    default:
      return ErrorCode::unsupported;
  }
}

const char* advice(hipError_t result) {
  switch (result) {
    case hipErrorContextIsDestroyed:
    case hipErrorInvalidContext:
      return "; the stream or context that was given to Weft no longer exists: close everything made on it before "
             "destroying it";
    case hipErrorInvalidImage:
    case hipErrorNoBinaryForGpu:
      return "; the code is for another device: hipRTC and the HIP runtime must come from the same ROCm";
    default:
      return code_of(result) == ErrorCode::device_lost
                 ? "; this process has lost everything on this device, and HIP can open it again only in a new process"
                 : "";
  }
}

}  // namespace

void check(const DriverFunctions& hip, hipError_t result, const char* what) {
  if (result == hipSuccess) return;
  const char *name = hip.hipGetErrorName(result), *text = hip.hipGetErrorString(result);
  throw Error(code_of(result), std::string(what) + " failed: HIP returned " + (name ? name : "an error") + " (" +
                                   (text ? text : std::to_string(int(result))) + ")" + advice(result));
}

}  // namespace weft::hip
