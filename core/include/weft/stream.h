#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <weft/arguments.h>
#include <weft/buffer.h>
#include <weft/kernel.h>

namespace weft {

class Device;

namespace backend {
class Event;
class Recorder;
class Stream;
class Timestamp;
}  // namespace backend

/// A point in a stream's work. Copyable and thread-safe. A default Event is one that has always happened.
class Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<backend::Event> impl) : impl_(std::move(impl)) {}

  bool done() const;
  /// Blocks until the work before the event is done. Throws timeout (the work goes on), device_lost or kernel_failed.
  void wait() const;
  void wait(std::chrono::nanoseconds timeout) const;
  const std::shared_ptr<backend::Event>& impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Event> impl_;
};

/// A moment on the device's clock. Copyable and thread-safe.
class Timestamp {
 public:
  Timestamp() = default;
  explicit Timestamp(std::shared_ptr<backend::Timestamp> impl) : impl_(std::move(impl)) {}

  /// Seconds from `start` to this one on the device's clock. Both must have been passed: synchronize first.
  /// Throws invalid_argument when one has not, or they are of different devices.
  double seconds_since(const Timestamp& start) const;

 private:
  std::shared_ptr<backend::Timestamp> impl_;
};

/// Takes work down, in order: each command sees the writes of those before it. What all of Weft's algorithms record
/// into. Recording submits nothing and waits for nothing, but for a compiler at a kernel's first dispatch_indirect()
/// without Kernel::prepare_indirect(), and on Vulkan at the first copy or fill. One thread at a time.
class Recorder {
 public:
  explicit Recorder(backend::Recorder& impl) : impl_(&impl) {}
  virtual ~Recorder() = default;

  /// Runs `kernel` on `groups` workgroups. No groups at all (a zero) is nothing to do.
  ///
  /// Throws invalid_argument, naming the argument, when the push-constant block has the wrong size, a binding is left
  /// out, misaligned or too small, a view is of another device, or `groups` is beyond the device's limits.
  void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments = {});
  /// As dispatch(), with the three counts in device memory: `groups` holds x, y, z and starts at a multiple of 4 bytes.
  void dispatch_indirect(const Kernel& kernel, View<const uint32_t> groups, const Arguments& arguments = {});

  /// Copies between views of the same size that do not overlap; otherwise throws invalid_argument. Any alignment.
  template <DeviceCopyable T>
  void copy(View<const T> source, View<T> destination) {
    copy_region(source.region(), destination.region());
  }
  template <DeviceCopyable T>
  void copy(const Buffer<T>& source, const Buffer<T>& destination) {
    copy_region(source.view().region(), destination.view().region());
  }
  void copy_region(const Region& source, const Region& destination);

  /// Sets every element to `value`. The view starts and ends at multiples of 4 bytes, and `value` repeats every 4 bytes
  /// (any 1-, 2- or 4-byte value does); otherwise throws invalid_argument.
  template <DeviceCopyable T>
  void fill(View<T> view, T value) {
    fill_region(view.region(), std::as_bytes(std::span(&value, 1)));
  }
  template <DeviceCopyable T>
  void fill(const Buffer<T>& buffer, T value) {
    fill(buffer.view(), value);
  }
  void fill_region(const Region& region, std::span<const std::byte> pattern);

  /// The device's clock once everything recorded so far is done. Throws unsupported on a device without timestamps.
  Timestamp timestamp();

  /// While the returned scope lives, commands do not wait for one another: they must not depend on each other.
  /// The scope as a whole is ordered as one command. Scopes do not nest: a second one throws invalid_argument, and so
  /// do plans of algorithms, whose commands depend on each other.
  class [[nodiscard]] Independent {
   public:
    explicit Independent(Recorder& recorder);
    ~Independent();
    Independent(const Independent&) = delete;
    Independent& operator=(const Independent&) = delete;

   private:
    Recorder& recorder_;
  };
  Independent independent() { return Independent(*this); }
  /// Whether such a scope is open.
  bool in_independent() const { return in_independent_; }

  /// The device that the work runs on.
  Device device() const;

  backend::Recorder& impl() { return *impl_; }

 protected:
  backend::Recorder* impl_;

 private:
  bool in_independent_ = false;
};

/// A queue of work on one device: a Recorder that can submit, wait, and move data to and from the host.
///
/// Recorded work starts at the latest with the next submit(), record(), upload of much data, download() or
/// synchronize(); on CUDA and HIP it starts as it is recorded. Streams of one device may run at the same time; order
/// them with events. One thread at a time; different streams on different threads. Destroying a stream submits what it
/// holds and waits for it, up to the device's time-out.
class Stream : public Recorder {
 public:
  explicit Stream(std::unique_ptr<backend::Stream> impl);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream() override;

  /// Copies `data` to the start of `destination`; `data` may be reused at once. Goes through staging memory in chunks,
  /// so any size works; waits for earlier chunks where those still hold that memory. Throws invalid_argument when it
  /// does not fit.
  template <DeviceCopyable T>
  void upload(std::type_identity_t<View<T>> destination, std::span<const T> data) {
    upload_region(destination.region(), std::as_bytes(data));
  }
  template <DeviceCopyable T>
  void upload(const Buffer<T>& destination, std::type_identity_t<std::span<const T>> data) {
    upload_region(destination.view().region(), std::as_bytes(data));
  }
  void upload_region(const Region& destination, std::span<const std::byte> data);

  /// Waits for the work before it and copies the first `data.size()` elements to the host. Throws invalid_argument when
  /// there are not as many, and what synchronize() throws.
  template <DeviceCopyable T>
  void download(std::type_identity_t<View<const T>> source, std::span<T> data) {
    download_region(source.region(), std::as_writable_bytes(data));
  }
  template <DeviceCopyable T>
  void download(const Buffer<T>& source, std::type_identity_t<std::span<T>> data) {
    download_region(source.view().region(), std::as_writable_bytes(data));
  }
  /// All elements of a view, in a vector.
  template <DeviceCopyable T>
  std::vector<std::remove_const_t<T>> download(View<T> source) {
    std::vector<std::remove_const_t<T>> data(source.size());
    download_region(source.region(), std::as_writable_bytes(std::span(data)));
    return data;
  }
  template <DeviceCopyable T>
  std::vector<T> download(const Buffer<T>& source) {
    return download(source.view());
  }
  void download_region(const Region& source, std::span<std::byte> data);

  /// Starts what has been recorded; does not wait.
  void submit();
  /// Submits, and marks the point reached.
  Event record();
  /// Work recorded from now on starts after `event`, which may be another stream's of the same device. Throws
  /// invalid_argument for one of another device.
  void wait(const Event& event);
  /// Submits and blocks until all is done. Throws timeout after the device's time-out (the work goes on) or after
  /// `timeout`; device_lost when the device died, kernel_failed for what the host device found wrong in a kernel.
  void synchronize();
  void synchronize(std::chrono::nanoseconds timeout);

  /// Scratch memory of the stream, at least `bytes` long, 256-byte aligned, good until the next call: commands recorded
  /// so far keep what they were given.
  Region scratch(uint64_t bytes);

  /// The value under `key`, made by `make` on first use and kept as long as the stream: how convenience functions keep
  /// their plans.
  template <typename T>
  std::shared_ptr<T> cached(const std::string& key, const std::function<std::shared_ptr<T>()>& make) {
    std::shared_ptr<void>& value = cache_[key];
    if (!value) value = make();
    return std::static_pointer_cast<T>(value);
  }

 private:
  std::unique_ptr<backend::Stream> stream_;
  std::shared_ptr<backend::Buffer> scratch_;
  std::map<std::string, std::shared_ptr<void>> cache_;
};

}  // namespace weft
