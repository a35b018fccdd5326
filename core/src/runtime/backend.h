#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/arguments.h>
#include <weft/device.h>
#include <weft/device_info.h>
#include <weft/kernel.h>
#include <weft/stream.h>

#include "core/src/runtime/cache.h"
#include "core/src/runtime/compilers.h"
#include "core/src/runtime/kernel_store.h"
#include "core/src/runtime/patience.h"
#include "core/src/runtime/process.h"
#include "core/src/runtime/recent_kernels.h"

/// The interface that a backend implements. The public classes check arguments against reflection and limits before
/// they call it, so implementations may trust their arguments.
namespace weft::backend {

class Device;

/// Device memory. The destructor must keep the memory alive until work recorded so far is done.
class Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes, uint64_t base_offset = 0)
      : device_(std::move(device)), address_(address), bytes_(bytes), base_offset_(base_offset) {}
  virtual ~Buffer() = default;

  Device& device() const { return *device_; }
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  /// Where the buffer starts in the object that the backend binds: its offset counts for the alignment of bindings.
  uint64_t base_offset() const { return base_offset_; }

 protected:
  std::shared_ptr<Device> device_;
  uint64_t address_, bytes_, base_offset_;
};

/// A compiled kernel. `reflection` has the specialized workgroup size.
class Kernel {
 public:
  Kernel(std::shared_ptr<Device> device, std::string name, Reflection reflection)
      : device_(std::move(device)), name_(std::move(name)), reflection_(std::move(reflection)) {}
  virtual ~Kernel() = default;

  Device& device() const { return *device_; }
  const std::string& name() const { return name_; }
  const Reflection& reflection() const { return reflection_; }
  /// See weft::Kernel. Optional: a backend that cannot say keeps the default.
  virtual uint32_t resident_workgroups() const { return 0; }
  /// See weft::Kernel. Optional: for backends that compile a second form of a kernel for indirect dispatches.
  virtual void prepare_indirect() const {}

 protected:
  std::shared_ptr<Device> device_;
  std::string name_;
  Reflection reflection_;
};

/// The arguments of a dispatch, checked, and in the order in which the kernel's reflection has what they are for.
struct BoundArguments {
  /// May be longer than the reflected block, by the padding at the end of a C++ struct. Zeros follow it in memory, up
  /// to Arguments::max_push_constant_bytes.
  std::span<const std::byte> push_constants;
  /// One for each element of Reflection::bindings, descriptor arrays flattened. Those that the kernel does not use may
  /// have no buffer.
  std::vector<Region> bindings;
};

class Event {
 public:
  virtual ~Event() = default;
  virtual bool done() = 0;
  virtual void wait(std::chrono::nanoseconds timeout) = 0;
  virtual Device& device() = 0;
};

class Timestamp {
 public:
  virtual ~Timestamp() = default;
  virtual Device& device() = 0;
  /// Seconds on the device's clock from `start`, a timestamp of the same device. Throws invalid_argument if the device
  /// has not reached both yet.
  virtual double seconds_since(Timestamp& start) = 0;
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual Device& device() = 0;
  virtual void dispatch(const Kernel& kernel, Groups groups, const BoundArguments& arguments) = 0;
  virtual void dispatch_indirect(const Kernel& kernel, const Region& groups, const BoundArguments& arguments) = 0;
  virtual void copy(const Region& source, const Region& destination) = 0;
  virtual void fill(const Region& region, uint32_t word) = 0;
  virtual std::shared_ptr<Timestamp> timestamp() = 0;
  virtual void begin_independent() = 0;
  /// Must not throw: a destructor calls it.
  virtual void end_independent() = 0;

  core::RecentKernels recent_kernels;  ///< Kept by core.
};

class Stream : public Recorder {
 public:
  virtual void upload(const Region& destination, std::span<const std::byte> data) = 0;
  virtual void download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) = 0;
  virtual void submit() = 0;
  virtual std::shared_ptr<backend::Event> record() = 0;
  virtual void wait(const std::shared_ptr<backend::Event>& event) = 0;
  virtual void synchronize(std::chrono::nanoseconds timeout) = 0;
};

/// An open device, shared by everything made from it.
class Device : public std::enable_shared_from_this<Device> {
 public:
  /// A device that does not compile what packs lack is as they serve it.
  Device(DeviceInfo info, DeviceOptions options, bool compiles = core::has_compilers());
  virtual ~Device() = default;

  const DeviceInfo& info() const { return info_; }
  const DeviceOptions& options() const { return options_; }
  std::chrono::nanoseconds timeout() const { return options_.timeout; }
  /// For a stream's destructor: waits for its work and reports an error that the destructor cannot throw. Earlier waits
  /// that timed out count towards the device's time-out, and are not reported again. `patience` is the stream's. False
  /// if work may still run.
  bool wait_to_close(Stream& stream, const core::Patience& patience) const;
  /// Throws invalid_argument in a child of the process that opened the device.
  void require_this_process() const;
  const core::Cache& cache() const { return kernels.cache(); }

  virtual std::shared_ptr<Buffer> create_buffer(uint64_t bytes) = 0;
  /// Checks the size of a new buffer against the limits, and calls `create` with its bytes. Null for no elements.
  /// Throws as weft::Device::buffer() does.
  std::shared_ptr<Buffer> new_buffer(uint64_t count, uint64_t element_bytes,
                                     const std::function<std::shared_ptr<Buffer>(uint64_t bytes)>& create);
  /// `reflection` belongs to the module with its checked options. The module already obeys options.contraction.
  virtual std::shared_ptr<Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                Reflection reflection) = 0;
  virtual std::unique_ptr<Stream> create_stream() = 0;
  virtual void synchronize(std::chrono::nanoseconds timeout) = 0;
  /// Whether work on this device may use buffers of `other`: where both stand for one device of the backend's.
  virtual bool shares_memory_with(const Device& other) const { return this == &other; }
  /// Whether kernels compile side by side if several threads create them: each has a compiler process of its own.
  virtual bool compiles_side_by_side() const { return false; }

  core::KernelStore kernels;  ///< Compiled ahead, or before.
  /// Called by new_buffer() with each buffer. Tests use it to fill new memory with random bytes. Set
  /// it before the device is shared.
  std::function<void(Buffer&)> on_new_buffer;

 private:
  const DeviceInfo info_;
  const DeviceOptions options_;
  const core::Process process_;
};

/// A backend's devices, and what opens the one at an index.
struct FoundDevices {
  BackendInfo info;
  std::function<std::shared_ptr<Device>(size_t index)> open;
};

/// A way to reach devices. Stateless; built_in_backends() has the only instance.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  /// Lists devices, including refused ones, or gives the reason why there are none. Never throws.
  virtual BackendInfo list(const DriverLibraries& libraries) const = 0;
  /// Opens the device that list() shows at `index`.
  virtual std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const = 0;

  /// What list() lists, to be opened with these options. Optional: for backends that start a driver to list its
  /// devices, and would start it again to open one.
  virtual FoundDevices find(const DeviceOptions& options) const;
  /// Why a device compiles no kernels, in words; empty if it does. Optional: for backends that need a compiler which a
  /// machine may lack, and open without one.
  virtual std::string missing_compiler(const DeviceInfo&, const DeviceOptions&) const { return {}; }
  /// Kernels that its devices need for themselves, for packs. Optional.
  virtual std::vector<Spirv> own_kernels() const { return {}; }
  /// A device of that architecture ("sm_90"), which need not be there, for packs. None if it knows no such
  /// architecture. Optional: for backends that make machine code.
  virtual std::optional<DeviceInfo> describe(const std::string&) const { return std::nullopt; }
  /// A kernel of a device that need not be there: what such a device runs goes into device->kernels. It cannot be
  /// dispatched. Optional: for backends that make machine code.
  virtual std::shared_ptr<Kernel> compile_ahead(const std::shared_ptr<Device>& device, const Spirv& module,
                                                const KernelOptions&, Reflection reflection) const {
    return std::make_shared<Kernel>(device, module.name, std::move(reflection));
  }
  /// Whether DeviceOptions::validation has an effect.
  virtual bool has_validation() const { return false; }
  /// Describes the settings that a selector may have after the colon ("host:subgroup=64"); null if there are none.
  virtual const char* settings() const { return nullptr; }
  /// Opens the first device with `settings`, the text after the colon. Throws invalid_argument, describing the
  /// settings, if they are wrong. Called only if settings() is not null.
  virtual std::shared_ptr<Device> open_with(const std::string& settings, const DeviceOptions& options) const;
};

/// The backends of WEFT_BACKENDS, best first. CMake generates the definition.
std::span<const Backend* const> built_in_backends();
/// The selector that open_device("") uses, from WEFT_DEFAULT_DEVICE; "" for the best device. CMake generates the
/// definition.
const char* default_device();

}  // namespace weft::backend
