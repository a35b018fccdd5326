#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <weft/arguments.h>
#include <weft/device.h>
#include <weft/device_info.h>
#include <weft/kernel.h>
#include <weft/stream.h>

#include "core/src/runtime/cache.h"

/// What a backend implements. The public classes check arguments against reflection and limits before they call in
/// here, so an implementation may trust what it is given.
namespace weft::backend {

class Device;

/// Device memory. Its destructor must keep the memory alive until work recorded so far is done.
class Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes)
      : device_(std::move(device)), address_(address), bytes_(bytes) {}
  virtual ~Buffer() = default;

  Device& device() const { return *device_; }
  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

 protected:
  std::shared_ptr<Device> device_;
  uint64_t address_, bytes_;
};

/// A compiled kernel; `reflection` has the specialized workgroup size.
class Kernel {
 public:
  Kernel(std::shared_ptr<Device> device, std::string name, Reflection reflection)
      : device_(std::move(device)), name_(std::move(name)), reflection_(std::move(reflection)) {}
  virtual ~Kernel() = default;

  Device& device() const { return *device_; }
  const std::string& name() const { return name_; }
  const Reflection& reflection() const { return reflection_; }
  /// As weft::Kernel has it. A backend that cannot say leaves it out.
  virtual uint32_t resident_workgroups() const { return 0; }
  /// As weft::Kernel has it. A backend that dispatches one form of a kernel either way leaves it out.
  virtual void prepare_indirect() const {}

 protected:
  std::shared_ptr<Device> device_;
  std::string name_;
  Reflection reflection_;
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
  /// On the device's clock, from a timestamp of the same device. Throws invalid_argument while the device has not
  /// passed one of the two.
  virtual double seconds_since(Timestamp& start) = 0;
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual Device& device() = 0;
  /// Push constants may be longer than the reflected block by the padding of a C++ struct, which is not the kernel's.
  virtual void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments) = 0;
  virtual void dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments) = 0;
  virtual void copy(const Region& source, const Region& destination) = 0;
  virtual void fill(const Region& region, uint32_t word) = 0;
  virtual std::shared_ptr<Timestamp> timestamp() = 0;
  virtual void begin_independent() = 0;
  /// Called from a destructor: must not throw.
  virtual void end_independent() = 0;
};

class Stream : public Recorder {
 public:
  virtual void upload(const Region& destination, std::span<const std::byte> data) = 0;
  virtual void download(const Region& source, std::span<std::byte> data) = 0;
  virtual void submit() = 0;
  virtual std::shared_ptr<backend::Event> record() = 0;
  virtual void wait(const std::shared_ptr<backend::Event>& event) = 0;
  virtual void synchronize(std::chrono::nanoseconds timeout) = 0;
};

/// An open device. Shared by everything made from it.
class Device : public std::enable_shared_from_this<Device> {
 public:
  Device(DeviceInfo info, DeviceOptions options) : info_(std::move(info)), options_(std::move(options)) {}
  virtual ~Device() = default;

  const DeviceInfo& info() const { return info_; }
  const DeviceOptions& options() const { return options_; }
  std::chrono::nanoseconds timeout() const { return options_.timeout; }
  /// Reports what a stream's destructor cannot throw.
  void report_closing(const Error& error) const;
  core::Cache cache() const { return {options_.cache, options_.messages}; }

  virtual std::shared_ptr<Buffer> create_buffer(uint64_t bytes) = 0;
  /// `reflection` is the module's, with options applied and checked. The module already obeys options.contraction.
  virtual std::shared_ptr<Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                Reflection reflection) = 0;
  virtual std::unique_ptr<Stream> create_stream() = 0;
  virtual void synchronize(std::chrono::nanoseconds timeout) = 0;

  /// Sees each buffer before weft::Device hands it out. For tests, which fill new memory with random bytes; set it
  /// before the device is shared.
  std::function<void(Buffer&)> on_new_buffer;

 private:
  const DeviceInfo info_;
  const DeviceOptions options_;
};

/// One way to reach devices. Stateless; one instance per build, from built_in_backends().
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const char* name() const = 0;
  /// Devices, refused ones included, or the reason why there are none. Never throws.
  virtual BackendInfo list(const DriverLibraries& libraries) const = 0;
  /// Opens the device that list() shows at `index`.
  virtual std::shared_ptr<Device> open(size_t index, const DeviceOptions& options) const = 0;

  /// Whether DeviceOptions::validation has an effect.
  virtual bool has_validation() const { return false; }
  /// Settings that a selector may give after the colon ("host:subgroup=64"), in words; null when there are none.
  virtual const char* settings() const { return nullptr; }
  /// Opens the first device with `settings`, what follows the colon. Throws invalid_argument saying what there is to
  /// set. Called only where settings() is not null.
  virtual std::shared_ptr<Device> open_with(const std::string& settings, const DeviceOptions& options) const;
};

/// The backends that WEFT_BACKENDS chose, best first. Defined in a source that CMake generates.
std::span<const Backend* const> built_in_backends();
/// The selector that WEFT_DEFAULT_DEVICE chose for open_device(""), or "" for the best device there is. Defined there
/// too.
const char* default_device();

}  // namespace weft::backend
