#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <memory>
#include <string>

#include <weft/device_options.h>

static_assert(CUDA_VERSION >= 12000, "Weft's cuda backend is built with the headers of CUDA 12 or later");

namespace weft::cuda {

// cuda.h makes some of these names macros for the versions that it declares, and so they are opened.
#define WEFT_CUDA_DRIVER_FUNCTIONS(X)            \
  X(cuInit)                                      \
  X(cuDriverGetVersion)                          \
  X(cuGetErrorName)                              \
  X(cuGetErrorString)                            \
  X(cuDeviceGetCount)                            \
  X(cuDeviceGet)                                 \
  X(cuDeviceGetName)                             \
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
  X(cuLaunchKernel)

#define WEFT_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion)               \
  X(nvrtcGetErrorString)        \
  X(nvrtcCreateProgram)         \
  X(nvrtcCompileProgram)        \
  X(nvrtcDestroyProgram)        \
  X(nvrtcGetProgramLogSize)     \
  X(nvrtcGetProgramLog)         \
  X(nvrtcGetCUBINSize)          \
  X(nvrtcGetCUBIN)

#define WEFT_DECLARE_FUNCTION(name) decltype(&::name) name = nullptr;

/// The CUDA driver, opened at run time. Stays open: kernels of a process that ends may still run.
struct DriverFunctions {
  /// Opens libraries.cuda_driver or libcuda.so.1. Throws Error(unsupported) with the reason when there is none, or when
  /// it is too old.
  static std::shared_ptr<const DriverFunctions> open(const DriverLibraries& libraries);
  WEFT_CUDA_DRIVER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  /// The one that drivers of every version have; cuda.h of CUDA 13 makes the name another's.
  CUresult (*cuEventElapsedTimeOfAll)(float* milliseconds, CUevent start, CUevent end) = nullptr;
};

/// NVRTC, the run-time compiler of the CUDA toolkit.
struct CompilerFunctions {
  /// Opens libraries.nvrtc, or libnvrtc.so.13 or .12 where libraries and toolkits usually are. Throws
  /// Error(unsupported) with the reason when there is none.
  static std::shared_ptr<const CompilerFunctions> open(const DriverLibraries& libraries);
  WEFT_NVRTC_FUNCTIONS(WEFT_DECLARE_FUNCTION)
};

#undef WEFT_DECLARE_FUNCTION

/// Throws Error unless all went well: out_of_memory, device_lost where the context did not survive, compile_failed or
/// unsupported. `what` begins the sentence: "launching a kernel".
void check(const DriverFunctions& functions, CUresult result, const char* what);

}  // namespace weft::cuda
