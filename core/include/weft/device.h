#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <weft/buffer.h>
#include <weft/device_info.h>
#include <weft/kernel.h>
#include <weft/stream.h>

namespace weft {

namespace backend {
class Device;
}

struct DeviceOptions {
  /// How long a wait may take before it throws Error(timeout).
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);
  /// Checks every call with the backend's validation layer (Vulkan: the Khronos layer with synchronization
  /// validation). Also turned on by the environment variable WEFT_VALIDATION=1. Throws unsupported when it is not
  /// installed.
  bool validation = false;
};

/// An open device. A handle: copies are the same device, which closes with the last copy and the last object made from
/// it. Thread-safe.
class Device {
 public:
  explicit Device(std::shared_ptr<backend::Device> impl) : impl_(std::move(impl)) {}

  const DeviceInfo& info() const;

  /// Memory for `count` elements, not initialised. Zero elements are allowed. Throws out_of_memory, saying how much was
  /// asked for and how much the device has.
  template <DeviceCopyable T>
  Buffer<T> buffer(uint64_t count) const {
    return Buffer<T>(allocate(count, sizeof(T)), count);
  }

  Stream stream() const;

  /// Compiles a kernel for this device, or takes it from the cache on disk. Throws compile_failed for invalid SPIR-V,
  /// unsupported with the list of what the device lacks, invalid_argument for a wrong entry point or specialization
  /// constant.
  Kernel kernel(const Spirv& module, const KernelOptions& options = {}) const;
  /// As above from GLSL source, see weft/glsl.h.
  Kernel kernel_from_glsl(const std::string& source, const KernelOptions& options = {}) const;

  /// Blocks until every stream's submitted work is done, or throws timeout.
  void synchronize() const;

  backend::Device& impl() const { return *impl_; }
  const std::shared_ptr<backend::Device>& shared_impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Buffer> allocate(uint64_t count, uint64_t element_bytes) const;

  std::shared_ptr<backend::Device> impl_;
};

/// Opens a device: a backend ("vulkan") takes its best device, "vulkan:1" the second that list_devices() shows,
/// "vulkan:llvmpipe" the first whose name contains that text whatever its case, "" the best device there is. The host
/// device takes settings: "host:subgroup=64,threads=2,schedule=7,check=on", any of them in any order.
///
/// Throws invalid_argument listing the devices (or settings) there are when the selector matches none, unsupported with
/// the reason when it matches one that Weft refuses or the backend has no device. Thread-safe.
Device open_device(const std::string& selector = "", const DeviceOptions& options = {});

}  // namespace weft
