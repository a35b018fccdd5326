#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <memory>
#include <string>

#include <weft/device_options.h>

static_assert(CUDA_VERSION >= 12000, "Weft's cuda backend needs the headers of CUDA 12 or later");

namespace weft::cuda {

// cuda.h defines some of these names as macros for versioned functions, which are then the ones loaded.
#define WEFT_CUDA_DRIVER_FUNCTIONS(X)            \
  X(cuInit)                                      \
  X(cuDriverGetVersion)                          \
  X(cuGetErrorName)                              \
  X(cuGetErrorString)                            \
  X(cuDeviceGetCount)                            \
  X(cuDeviceGet)                                 \
  X(cuDeviceGetName)                             \
  X(cuDeviceGetUuid)                             \
  X(cuDeviceGetAttribute)                        \
  X(cuDeviceTotalMem)                            \
  X(cuDevicePrimaryCtxRetain)                    \
  X(cuDevicePrimaryCtxRelease)                   \
  X(cuCtxPushCurrent)                            \
  X(cuCtxPopCurrent)                             \
  X(cuCtxGetDevice)                              \
  X(cuMemAlloc)                                  \
  X(cuMemFree)                                   \
  X(cuMemHostAlloc)                              \
  X(cuMemFreeHost)                               \
  X(cuMemGetInfo)                                \
  X(cuMemcpyHtoDAsync)                           \
  X(cuMemcpyDtoHAsync)                           \
  X(cuMemcpyDtoDAsync)                           \
  X(cuMemsetD32Async)                            \
  X(cuPointerGetAttribute)                       \
  X(cuImportExternalMemory)                      \
  X(cuExternalMemoryGetMappedBuffer)             \
  X(cuDestroyExternalMemory)                     \
  X(cuImportExternalSemaphore)                   \
  X(cuDestroyExternalSemaphore)                  \
  X(cuSignalExternalSemaphoresAsync)             \
  X(cuWaitExternalSemaphoresAsync)               \
  X(cuStreamCreate)                              \
  X(cuStreamDestroy)                             \
  X(cuStreamQuery)                               \
  X(cuStreamWaitEvent)                           \
  X(cuStreamGetCtx)                              \
  X(cuEventCreate)                               \
  X(cuEventDestroy)                              \
  X(cuEventRecord)                               \
  X(cuEventQuery)                                \
  X(cuModuleLoadData)                            \
  X(cuModuleUnload)                              \
  X(cuModuleGetFunction)                         \
  X(cuFuncSetAttribute)                          \
  X(cuFuncGetAttribute)                          \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuLaunchKernelEx)

#define WEFT_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion)               \
  X(nvrtcGetErrorString)        \
  X(nvrtcGetNumSupportedArchs)  \
  X(nvrtcGetSupportedArchs)     \
  X(nvrtcCreateProgram)         \
  X(nvrtcCompileProgram)        \
  X(nvrtcDestroyProgram)        \
  X(nvrtcGetProgramLogSize)     \
  X(nvrtcGetProgramLog)         \
  X(nvrtcGetCUBINSize)          \
  X(nvrtcGetCUBIN)              \
  X(nvrtcGetPTXSize)            \
  X(nvrtcGetPTX)

#define WEFT_DECLARE_FUNCTION(name) decltype(&::name) name = nullptr;

/// The CUDA driver, opened at run time. Never closed: kernels may still run while the process ends.
struct DriverFunctions {
  /// Opens libraries.cuda_driver or libcuda.so.1. Throws unsupported, with the reason, if there is none or it is too
  /// old.
  static std::shared_ptr<const DriverFunctions> open(const DriverLibraries& libraries);
  WEFT_CUDA_DRIVER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  /// The variant that all drivers have. In CUDA 13, cuda.h maps the name to another.
  CUresult (*cuEventElapsedTimeOfAll)(float* milliseconds, CUevent start, CUevent end) = nullptr;
};

/// NVRTC, the run-time compiler of the CUDA toolkit.
struct CompilerFunctions {
  /// Opens libraries.nvrtc, or libnvrtc.so.13 or .12 in the folders of libraries and toolkits. Throws unsupported, with
  /// the reason, if there is none.
  static std::shared_ptr<const CompilerFunctions> open(const DriverLibraries& libraries);
  WEFT_NVRTC_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

#undef WEFT_DECLARE_FUNCTION

/// Throws unless `result` is success: out_of_memory, device_lost if the context does not survive the error, else
/// unsupported. `what` begins the sentence: "launching a kernel".
void check(const DriverFunctions& functions, CUresult result, const char* what);

}  // namespace weft::cuda
