#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__  // NOLINT(bugprone-reserved-identifier): HIP's headers ask for it.
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

/// The result of hipPointerGetAttributes(), as far as all versions agree.
struct PointerAttributes {
  int type;  ///< Version 6 shifted its values by one.
  int device;
  void* device_pointer;
  void* host_pointer;
  int is_managed;
  unsigned allocation_flags;
};

/// AMD's HIP runtime, opened at run time. Never closed: kernels may still run while the process ends. Its version may
/// differ from that of the headers, so everything that changed between 5 and 7 is declared here.
struct DriverFunctions {
  /// Opens libraries.hip_driver or libamdhip64.so.7, .6 or .5. Throws unsupported, with the reason, if there is none.
  static std::shared_ptr<const DriverFunctions> open(const DriverLibraries& libraries);
  WEFT_HIP_DRIVER_FUNCTIONS(WEFT_DECLARE_FUNCTION)
  // Not by macro: the headers overload these names.
  hipError_t (*hipMalloc)(void** memory, size_t bytes) = nullptr;
  hipError_t (*hipHostMalloc)(void** memory, size_t bytes, unsigned flags) = nullptr;
  hipError_t (*hipPointerGetAttributes)(PointerAttributes* attributes, const void* pointer) = nullptr;
  /// hipGetDeviceProperties with the structure of version 5, and hipGetDevicePropertiesR0600 with that of version 6 and
  /// later. The latter is null in older runtimes.
  hipError_t (*old_properties)(void* properties, int ordinal) = nullptr;
  hipError_t (*new_properties)(void* properties, int ordinal) = nullptr;

  std::string library;  ///< "libamdhip64.so.5"
  int version = 0;      ///< 50221153 for 5.2.21153.
  int major() const { return version / 10'000'000; }
};

/// hipRTC, AMD's run-time compiler, and the library behind it.
struct CompilerFunctions {
  /// Opens libraries.hiprtc or the libhiprtc.so of the driver's version; in version 5 it is part of the driver. Throws
  /// unsupported, with the reason, if there is none.
  static std::shared_ptr<const CompilerFunctions> open(const DriverFunctions& driver, const DriverLibraries& libraries);
  /// `version` is that of its ROCm, `comgr` is DriverLibraries::comgr.
  static std::shared_ptr<const CompilerFunctions> open(const cuda_hip::Library::Search& search, int version,
                                                       const std::string& comgr);
  WEFT_HIPRTC_FUNCTIONS(WEFT_DECLARE_FUNCTION)

  // Functions of amd_comgr, AMD's code object library, declared like in its header. They return 0 on success.
  void (*amd_comgr_get_version)(size_t* major, size_t* minor) = nullptr;
  int (*amd_comgr_get_isa_count)(size_t* count) = nullptr;
  int (*amd_comgr_get_isa_name)(size_t index, const char** name) = nullptr;

  int version = 0;  ///< Like DriverFunctions::version. hiprtcVersion() always returns 9.0.
};

#undef WEFT_DECLARE_FUNCTION

/// "5.2.21153"
std::string version_text(int version);

/// Throws unless `result` is success: out_of_memory, device_lost if the context does not survive the error, else
/// unsupported. `what` begins the sentence: "launching a kernel".
void check(const DriverFunctions& functions, hipError_t result, const char* what);

}  // namespace weft::hip
