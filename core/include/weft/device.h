#pragma once

#include <memory>
#include <string>
#include <vector>

#include <weft/api.h>
#include <weft/buffer.h>
#include <weft/device_info.h>
#include <weft/device_options.h>
#include <weft/kernel.h>
#include <weft/stream.h>

namespace weft {

namespace backend {
class Device;
}

/// An open device. A handle: copies refer to the same device, which closes with the last copy and the last object made
/// from it. Thread-safe.
class WEFT_API Device {
 public:
  explicit Device(std::shared_ptr<backend::Device> impl) : impl_(std::move(impl)) {}

  const DeviceInfo& info() const;
  /// The options that the device was opened with.
  const DeviceOptions& options() const;

  /// Allocates `count` elements, uninitialised. `count` may be 0. Throws out_of_memory with the size of the request.
  template <DeviceCopyable T>
  Buffer<T> buffer(uint64_t count) const {
    return Buffer<T>(allocate(count, sizeof(T)), count);
  }

  /// Creates a queue of work.
  Stream stream() const;

  /// Compiles a kernel for this device, or loads it from the cache. Throws
  /// - compile_failed if the SPIR-V is invalid,
  /// - unsupported, with a list, if the device lacks something that the kernel needs,
  /// - invalid_argument for an unknown entry point or specialization constant, or for a value of a constant that makes
  ///   the module invalid.
  Kernel kernel(const Spirv& module, const KernelOptions& options = {}) const;
  /// Compiles GLSL source; see weft/glsl.h.
  Kernel kernel_from_glsl(const std::string& source, const KernelOptions& options = {}) const;

  /// Blocks until the submitted work of every stream is done. Throws what Stream::synchronize() throws.
  void synchronize() const;

  backend::Device& impl() const { return *impl_; }
  const std::shared_ptr<backend::Device>& shared_impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Buffer> allocate(uint64_t count, uint64_t element_bytes) const;

  std::shared_ptr<backend::Device> impl_;
};

/// Opens a device.
///
/// | selector | device |
/// |---|---|
/// | "vulkan:1" | the second device that list_devices() shows for the backend |
/// | "vulkan:llvmpipe" | the first device of the backend whose name contains the text, in any case |
/// | "vulkan" | the best device of the backend that opens |
/// | "host:subgroup=64,threads=2,schedule=7,check=on" | the host device with settings, any of them in any order |
/// | "" | the device that the build was configured for (WEFT_DEFAULT_DEVICE), else the best device that opens |
///
/// The best device is a discrete GPU, then an integrated one, then a CPU. A GPU is opened through CUDA or HIP rather
/// than Vulkan, a CPU through host. Devices that lack their compiler (NVRTC, hipRTC, a C++ compiler) come last, but for
/// GPUs that options.packs has machine code for. If a device does not open, the next best one is tried, unless
/// options.validation is set. choose_device() says which device was chosen and why.
///
/// Throws invalid_argument, listing the devices or settings, if the selector matches no device. Throws unsupported with
/// the reason if Weft refuses the device, or if the backend has none; if no device opens, the error has a reason for
/// each. Thread-safe.
WEFT_API Device open_device(const std::string& selector = "",
                            const DeviceOptions& options = DeviceOptions::from_environment());

/// The device that open_device() chooses, and why.
struct DeviceChoice {
  DeviceInfo device;
  std::string reason;  ///< "a discrete GPU, through cuda"
  /// The reasons against the others: "cuda:0 (NVIDIA H200) does not open: ...", "hip has no device: ...". Empty if the
  /// selector named the device.
  std::vector<std::string> others;
};

/// Returns the device that open_device() would open now. Opens it to find out whether it works, and closes it again.
/// Throws what open_device() throws. Thread-safe.
WEFT_API DeviceChoice choose_device(const std::string& selector = "",
                                    const DeviceOptions& options = DeviceOptions::from_environment());

}  // namespace weft
