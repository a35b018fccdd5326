#pragma once

#include <memory>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/device_info.h>
#include <weft/device_options.h>
#include <weft/kernel.h>
#include <weft/stream.h>

namespace weft {

namespace backend {
class Device;
}

/// An open device. A handle: copies are the same device, which closes with the last copy and the last object made from
/// it. Thread-safe.
class Device {
 public:
  explicit Device(std::shared_ptr<backend::Device> impl) : impl_(std::move(impl)) {}

  const DeviceInfo& info() const;
  /// What the device was opened with.
  const DeviceOptions& options() const;

  /// Memory for `count` elements, not initialised. Zero elements are allowed. Throws out_of_memory, saying how much was
  /// asked for.
  template <DeviceCopyable T>
  Buffer<T> buffer(uint64_t count) const {
    return Buffer<T>(allocate(count, sizeof(T)), count);
  }

  /// A new queue of work.
  Stream stream() const;

  /// Compiles a kernel for this device, or takes it from the cache on disk. Throws compile_failed for invalid SPIR-V,
  /// unsupported with the list of what the device lacks, invalid_argument for a wrong entry point or specialization
  /// constant, and for values of these with which the module is not valid any more.
  Kernel kernel(const Spirv& module, const KernelOptions& options = {}) const;
  /// As above from GLSL source, see weft/glsl.h.
  Kernel kernel_from_glsl(const std::string& source, const KernelOptions& options = {}) const;

  /// Blocks until every stream's submitted work is done; throws what Stream::synchronize() throws.
  void synchronize() const;

  backend::Device& impl() const { return *impl_; }
  const std::shared_ptr<backend::Device>& shared_impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Buffer> allocate(uint64_t count, uint64_t element_bytes) const;

  std::shared_ptr<backend::Device> impl_;
};

/// Opens a device: "vulkan:1" the second that list_devices() shows of a backend, "vulkan:llvmpipe" the first whose name
/// contains that text whatever its case, "vulkan" the best one of that backend that opens. The host device takes
/// settings: "host:subgroup=64,threads=2,schedule=7,check=on", any of them in any order.
///
/// "" opens the device that the build was configured for (WEFT_DEFAULT_DEVICE), or else the best one that opens:
/// discrete GPUs come before integrated ones, and CPUs last; a GPU that several backends reach is taken through CUDA or
/// HIP before Vulkan, and a CPU through Vulkan before host. A device that does not open gives way to the next, unless
/// validation was asked for. choose_device() says what was taken and why.
///
/// Throws invalid_argument listing the devices (or settings) there are when the selector matches none, unsupported with
/// the reason when it matches one that Weft refuses or the backend has no device; when none opens, one error says the
/// reason of each. Thread-safe.
Device open_device(const std::string& selector = "", const DeviceOptions& options = DeviceOptions::from_environment());

/// What open_device() takes, and why.
struct DeviceChoice {
  DeviceInfo device;
  std::string reason;  ///< "a discrete GPU, through cuda"
  /// Why not each of the others: "cuda:0 (NVIDIA H200) does not open: ...", "hip has no device: ...". Empty when the
  /// selector named the device.
  std::vector<std::string> others;
};

/// Says which device open_device() would open now. Opens it to find out whether it works, and closes it again. Throws
/// what open_device() throws. Thread-safe.
DeviceChoice choose_device(const std::string& selector = "",
                           const DeviceOptions& options = DeviceOptions::from_environment());

}  // namespace weft
