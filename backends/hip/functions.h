#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <memory>
#include <string>

#include <weft/device_options.h>

#include "backends/cuda_hip/library.h"

namespace weft::hip {

#define WEFT_HIP_DRIVER_FUNCTIONS(X)                    \
  X(hipInit)                                            \
  X(hipRuntimeGetVersion)                               \
  X(hipGetErrorName)                                    \
  X(hipGetErrorString)                                  \
  X(hipGetDeviceCount)                                  \
  X(hipDeviceGetName)                                   \
  X(hipDeviceGetAttribute)                              \
  X(hipDeviceTotalMem)                                  \
  X(hipGetDevice)                                       \
  X(hipSetDevice)                                       \
  X(hipFree)                                            \
  X(hipHostFree)                                        \
  X(hipMemGetInfo)                                      \
  X(hipMemcpyHtoDAsync)                                 \
  X(hipMemcpyDtoHAsync)                                 \
  X(hipMemcpyDtoDAsync)                                 \
  X(hipMemsetD32Async)                                  \
  X(hipMemGetAddressRange)                              \
  X(hipStreamCreateWithFlags)                           \
  X(hipStreamDestroy)                                   \
  X(hipStreamQuery)                                     \
  X(hipStreamWaitEvent)                                 \
  X(hipEventCreateWithFlags)                            \
  X(hipEventDestroy)                                    \
  X(hipEventRecord)                                     \
  X(hipEventQuery)                                      \
  X(hipEventElapsedTime)                                \
  X(hipModuleLoadData)                                  \
  X(hipModuleUnload)                                    \
  X(hipModuleGetFunction)                               \
  X(hipFuncGetAttribute)                                \
  X(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(hipModuleLaunchKernel)

#define WEFT_HIPRTC_FUNCTIONS(X) \
  X(hiprtcGetErrorString)        \
  X(hiprtcCreateProgram)         \
  X(hiprtcCompileProgram)        \
  X(hiprtcDestroyProgram)        \
  X(hiprtcGetProgramLogSize)     \
  X(hiprtcGetProgramLog)         \
  X(hiprtcGetCodeSize)           \
  X(hiprtcGetCode)

#define WEFT_DECLARE_FUNCTION(name) decltype(&::name) name = nullptr;

/// What hipPointerGetAttributes() writes, in every version.
struct PointerAttributes {
  int type;  ///< Version 6 moved its values by one.
  int device;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned allocation_flags;
};

/// AMD's HIP runtime, opened at run time. Stays open: kernels of a process that ends may still run. It may be of
/// another version than the headers that Weft is built with: what changed between 5 and 7 is declared here.
struct DriverFunctions {
  /// Opens libraries.hip_driver or libamdhip64.so.7, .6 or .5. Throws Error(unsupported) with the reason when there is
  /// none.
  static std::shared_ptr<const DriverFunctions> open(const DriverLibraries& libraries);
  WEFT_HIP_DRIVER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  // The headers have further functions of these names.
  hipError_t (*hipMalloc)(void** memory, size_t bytes) = nullptr;
  hipError_t (*hipHostMalloc)(void** memory, size_t bytes, unsigned flags) = nullptr;
  hipError_t (*hipPointerGetAttributes)(PointerAttributes* attributes, const void* pointer) = nullptr;
  /// hipGetDeviceProperties, with the structure of version 5, and hipGetDevicePropertiesR0600, with that of 6 and
  /// later; null where the runtime is older.
  hipError_t (*old_properties)(void* properties, int ordinal) = nullptr;
  hipError_t (*new_properties)(void* properties, int ordinal) = nullptr;

  std::string library;  ///< "libamdhip64.so.5"
  int version = 0;      ///< 50221153 for 5.2.21153.
  int major() const { return version / 10'000'000; }
};

/// hipRTC, AMD's run-time compiler, and what it compiles with.
struct CompilerFunctions {
  /// Opens libraries.hiprtc or the libhiprtc.so of the driver's version, which for version 5 is part of the driver.
  /// Throws Error(unsupported) with the reason when there is none.
  static std::shared_ptr<const CompilerFunctions> open(const DriverFunctions& driver, const DriverLibraries& libraries);
  /// `version`: of the ROCm that it belongs to. `comgr`: DriverLibraries::comgr.
  static std::shared_ptr<const CompilerFunctions> open(const cuda_hip::Library::Search& search, int version,
                                                       const std::string& comgr);
  WEFT_HIPRTC_FUNCTIONS(WEFT_DECLARE_FUNCTION)

  // Of amd_comgr, AMD's code object library, as its header has them. They return 0 when all went well.
  void (*amd_comgr_get_version)(size_t* major, size_t* minor) = nullptr;
  int (*amd_comgr_get_isa_count)(size_t* count) = nullptr;
  int (*amd_comgr_get_isa_name)(size_t index, const char** name) = nullptr;

  int version = 0;  ///< As DriverFunctions::version: hiprtcVersion() says 9.0 whatever it is.
};

#undef WEFT_DECLARE_FUNCTION

/// "5.2.21153"
std::string version_text(int version);

/// Throws Error unless all went well: out_of_memory, device_lost where the context did not survive, or unsupported.
/// `what` begins the sentence: "launching a kernel".
void check(const DriverFunctions& functions, hipError_t result, const char* what);

}  // namespace weft::hip
