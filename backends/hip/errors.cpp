#include <string>

#include <weft/error.h>

#include "backends/hip/functions.h"

namespace weft::hip {

namespace {

// As numbers where the headers of version 5 have no name.
constexpr int launch_failure = 719;

ErrorCode code_of(hipError_t result) {
  switch (int(result)) {
    case hipErrorOutOfMemory:
      return ErrorCode::out_of_memory;
    // What a device's context does not survive.
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
      return "; the stream or context that Weft was given is gone: close what was made on it, and destroy it after "
             "that";
    case hipErrorInvalidImage:
    case hipErrorNoBinaryForGpu:
      return "; the code is for another device: hipRTC and HIP's runtime have to be of one ROCm";
    default:
      return code_of(result) == ErrorCode::device_lost
                 ? "; everything on this device is lost to this process, for HIP opens it anew only in another"
                 : "";
  }
}

}  // namespace

void check(const DriverFunctions& hip, hipError_t result, const char* what) {
  if (result == hipSuccess) return;
  const char *name = hip.hipGetErrorName(result), *text = hip.hipGetErrorString(result);
  throw Error(code_of(result), std::string(what) + " failed: HIP answered " + (name ? name : "an error") + " (" +
                                   (text ? text : std::to_string(int(result))) + ")" + advice(result));
}

}  // namespace weft::hip
