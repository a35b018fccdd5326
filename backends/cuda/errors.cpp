#include <string>

#include <weft/error.h>

#include "backends/cuda/functions.h"

namespace weft::cuda {

namespace {

ErrorCode code_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return ErrorCode::out_of_memory;
    // Errors that a context does not survive, according to CUDA's documentation.
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_SYSTEM_NOT_READY:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return ErrorCode::device_lost;
    default:
      return ErrorCode::unsupported;
  }
}

const char* advice(CUresult result) {
  switch (result) {
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_INVALID_CONTEXT:
      return "; the context that was given to Weft no longer exists: close everything made on it before destroying it";
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return "; the driver is older than the compiler: update it, or name an older NVRTC in WEFT_NVRTC";
    default:
      return code_of(result) == ErrorCode::device_lost ? "; this process has lost everything on this GPU, and CUDA can "
                                                         "use the GPU again only in a new process; other "
                                                         "devices are unaffected"
                                                       : "";
  }
}

}  // namespace

void check(const DriverFunctions& cu, CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char *name = nullptr, *text = nullptr;
  cu.cuGetErrorName(result, &name);
  cu.cuGetErrorString(result, &text);
  throw Error(code_of(result), std::string(what) + " failed: the CUDA driver returned " + (name ? name : "an error") +
                                   " (" + (text ? text : std::to_string(int(result))) + ")" + advice(result));
}

}  // namespace weft::cuda
