#pragma once

#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <memory>
#include <string>

#include "backends/driver/library.h"

namespace weft::hip {

#define WEFT_HIP_FUNCTIONS(X)                           \
  X(hipInit)                                            \
  X(hipRuntimeGetVersion)                               \
  X(hipGetDeviceCount)                                  \
  X(hipGetDevice)                                       \
  X(hipSetDevice)                                       \
  X(hipDeviceGetName)                                   \
  X(hipDeviceGetAttribute)                              \
  X(hipDeviceTotalMem)                                  \
  X(hipFree)                                            \
  X(hipHostFree)                                        \
  X(hipMemGetInfo)                                      \
  X(hipMemGetAddressRange)                              \
  X(hipMemcpyHtoDAsync)                                 \
  X(hipMemcpyDtoHAsync)                                 \
  X(hipMemcpyDtoDAsync)                                 \
  X(hipMemsetD32Async)                                  \
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
  X(hipModuleLaunchKernel)                              \
  X(hipGetErrorName)                                    \
  X(hipGetErrorString)

/// The functions of libamdhip64, opened at run time. The headers that Weft is built with may be of another major
/// version than the library: types that changed between versions 5 and 7 are declared here.
struct Functions {
  /// Opens libamdhip64.so.7, .6 or .5, or the file that WEFT_HIP_DRIVER names, and starts it. Throws Error(unsupported)
  /// with the reason when there is none, or no device in it.
  static std::shared_ptr<const Functions> open();
  Functions(const Functions&) = delete;

  driver::Library library;
  int version = 0;  ///< 50221153 for 5.2.21153.

#define WEFT_DECLARE(name) decltype(&::name) name = nullptr;
  WEFT_HIP_FUNCTIONS(WEFT_DECLARE)
#undef WEFT_DECLARE
  // The headers overload these.
  hipError_t (*hipMalloc)(void** memory, size_t bytes) = nullptr;
  hipError_t (*hipHostMalloc)(void** memory, size_t bytes, unsigned flags) = nullptr;

  /// What hipPointerGetAttributes() writes: the layout of every version. The meaning of `type` moved in version 6.
  struct PointerAttributes {
    int type;
    int device;
    void* device_pointer;
    void* host_pointer;
    int is_managed;
    unsigned allocation_flags;
  };
  hipError_t (*hipPointerGetAttributes)(PointerAttributes* attributes, const void* pointer) = nullptr;
  /// Whether `type` means the memory of a device.
  bool is_device_memory(int type) const { return type == (major() >= 6 ? 2 : 1); }

  /// The architecture with its features: "gfx90a:sramecc+:xnack-".
  std::string architecture(int ordinal) const;

  int major() const { return version / 10'000'000; }
  /// "5.2.21153"
  std::string version_text() const;

 private:
  explicit Functions(const driver::Library::Search& search);
};

}  // namespace weft::hip
