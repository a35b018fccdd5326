#include <string>

#include <weft/error.h>

#include "backends/cuda/functions.h"

namespace weft::cuda {

namespace {

ErrorCode code_of(CUresult result) {
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return ErrorCode::out_of_memory;
    // What a context does not survive, by CUDA's documentation of each.
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
      return "; the context that Weft was given is gone: close what was made on it, and destroy contexts after that";
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return "; the driver is older than the compiler: update it, or name an older NVRTC in WEFT_NVRTC";
    default:
      return code_of(result) == ErrorCode::device_lost ? "; everything that this process has on this GPU through CUDA "
                                                         "is lost, and it takes a new process to use "
                                                         "the GPU so again; other devices go on"
                                                       : "";
  }
}

}  // namespace

void check(const DriverFunctions& cu, CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char *name = nullptr, *text = nullptr;
  cu.cuGetErrorName(result, &name);
  cu.cuGetErrorString(result, &text);
  throw Error(code_of(result), std::string(what) + " failed: the CUDA driver answered " + (name ? name : "an error") +
                                   " (" + (text ? text : std::to_string(int(result))) + ")" + advice(result));
}

}  // namespace weft::cuda
