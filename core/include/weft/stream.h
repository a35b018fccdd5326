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

#include <weft/api.h>
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

/// A point in the work of a stream. Copyable and thread-safe. A default-constructed Event is always done.
class WEFT_API Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<backend::Event> impl) : impl_(std::move(impl)) {}

  bool done() const;
  /// Blocks until the work before the event is done. Throws timeout (the work continues), device_lost or kernel_failed.
  void wait() const;
  void wait(std::chrono::nanoseconds timeout) const;
  const std::shared_ptr<backend::Event>& shared_impl() const { return impl_; }

 private:
  std::shared_ptr<backend::Event> impl_;
};

/// A moment on the device's clock. Copyable and thread-safe.
class WEFT_API Timestamp {
 public:
  Timestamp() = default;
  explicit Timestamp(std::shared_ptr<backend::Timestamp> impl) : impl_(std::move(impl)) {}

  /// Seconds from `start` to this timestamp. The device must have reached both: synchronize first. Throws
  /// invalid_argument if it has not, or if they belong to different devices.
  double seconds_since(const Timestamp& start) const;

 private:
  std::shared_ptr<backend::Timestamp> impl_;
};

/// Records commands in order: each command sees the writes of earlier ones. All algorithms record into this interface.
/// Recording waits for nothing. Two commands may compile: the first dispatch_indirect() of a kernel (see
/// Kernel::prepare_indirect()), and on Vulkan a copy or fill before the device has created any kernel. Not thread-safe.
class WEFT_API Recorder {
 public:
  explicit Recorder(backend::Recorder& impl) : impl_(&impl) {}
  virtual ~Recorder() = default;

  /// Runs `kernel` on `groups` workgroups. Does nothing if one of the counts is 0.
  ///
  /// Throws invalid_argument, naming the argument, if the push-constant block has the wrong size, if a binding is
  /// missing, misaligned or too small, if a view belongs to another device, or if `groups` exceeds a limit of the
  /// device.
  void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments = {});
  /// Like dispatch(), with the counts in device memory: `groups` holds x, y and z, and starts at a multiple of 4 bytes.
  void dispatch_indirect(const Kernel& kernel, View<const uint32_t> groups, const Arguments& arguments = {});

  /// Copies between views of any alignment. Throws invalid_argument if their sizes differ or they overlap.
  template <DeviceCopyable T>
  void copy(View<const T> source, View<T> destination) {
    copy_region(source.region(), destination.region());
  }
  template <DeviceCopyable T>
  void copy(const Buffer<T>& source, const Buffer<T>& destination) {
    copy_region(source.view().region(), destination.view().region());
  }
  void copy_region(const Region& source, const Region& destination);

  /// Sets every element to `value`. Throws invalid_argument unless the view starts and ends at multiples of 4 bytes,
  /// and `value` repeats every 4 bytes, as every value of 1, 2 or 4 bytes does.
  template <DeviceCopyable T>
  void fill(View<T> view, T value) {
    fill_region(view.region(), std::as_bytes(std::span(&value, 1)));
  }
  template <DeviceCopyable T>
  void fill(const Buffer<T>& buffer, T value) {
    fill(buffer.view(), value);
  }
  void fill_region(const Region& region, std::span<const std::byte> pattern);

  /// Records the time at which everything recorded so far is done. Throws unsupported if the device has no timestamps.
  Timestamp timestamp();

  /// While the returned scope lives, commands are not ordered among themselves: they must not depend on each other. The
  /// scope as a whole is ordered like one command. Scopes do not nest: opening a second one throws invalid_argument. So
  /// does recording an algorithm, whose commands depend on each other.
  class [[nodiscard]] Independent {
   public:
    WEFT_API explicit Independent(Recorder& recorder);
    WEFT_API ~Independent();
    Independent(const Independent&) = delete;
    Independent& operator=(const Independent&) = delete;

   private:
    Recorder& recorder_;
  };
  Independent independent() { return Independent(*this); }
  /// Whether an independent() scope is open.
  bool in_independent() const { return in_independent_; }

  /// The device that runs the work.
  Device device() const;

  backend::Recorder& impl() { return *impl_; }

 protected:
  backend::Recorder* impl_;

 private:
  bool in_independent_ = false;
};

/// A queue of work on one device: a Recorder that can submit, wait, and move data to and from the host.
///
/// Recorded work starts with the next submit(), record(), download(), synchronize() or large upload() at the latest. On
/// CUDA and HIP each command is submitted as it is recorded. Streams of one device may run at the same time; order them
/// with events. Use a stream from one thread at a time; different streams may be on different threads. The destructor
/// submits recorded work and waits for it, up to the device's time-out.
class WEFT_API Stream : public Recorder {
 public:
  explicit Stream(std::unique_ptr<backend::Stream> impl);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream() override;

  /// Copies `data` to the start of `destination`. `data` may be reused at once. Any size works: data goes through
  /// staging memory in chunks, and the call waits while earlier chunks occupy that memory. Throws invalid_argument if
  /// the data does not fit.
  template <DeviceCopyable T>
  void upload(std::type_identity_t<View<T>> destination, std::span<const T> data) {
    upload_region(destination.region(), std::as_bytes(data));
  }
  template <DeviceCopyable T>
  void upload(const Buffer<T>& destination, std::type_identity_t<std::span<const T>> data) {
    upload_region(destination.view().region(), std::as_bytes(data));
  }
  void upload_region(const Region& destination, std::span<const std::byte> data);

  /// Waits for earlier work and copies the first `data.size()` elements to the host. Throws invalid_argument if the
  /// view has fewer elements, and what synchronize() throws.
  template <DeviceCopyable T>
  void download(std::type_identity_t<View<const T>> source, std::span<T> data) {
    download_region(source.region(), std::as_writable_bytes(data));
  }
  template <DeviceCopyable T>
  void download(const Buffer<T>& source, std::type_identity_t<std::span<T>> data) {
    download_region(source.view().region(), std::as_writable_bytes(data));
  }
  /// Returns all elements of a view.
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
  /// As above, but throws timeout after `timeout`; the work continues, and `data` is written in part or not at all.
  void download_region(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout);

  /// Starts recorded work; does not wait.
  void submit();
  /// Submits recorded work and returns the point reached.
  Event record();
  /// Makes work recorded from now on start after `event`, which may come from another stream of the device. Throws
  /// invalid_argument if it comes from another device.
  void wait(const Event& event);
  /// Submits recorded work and blocks until all work is done. Throws timeout after `timeout`, by default the device's
  /// (the work continues); device_lost if the device died; kernel_failed if the host device found an error in a kernel.
  void synchronize();
  void synchronize(std::chrono::nanoseconds timeout);

  /// Scratch memory of at least `bytes` bytes, aligned to 256 bytes. Valid until the next call; commands recorded
  /// before that may use it.
  Region scratch(uint64_t bytes);

  /// Returns the value stored under `key`. Calls `make` on first use, and keeps the value as long as the stream.
  /// Convenience functions keep their plans here.
  template <typename T>
  std::shared_ptr<T> cached(const std::string& key, const std::function<std::shared_ptr<T>()>& make) {
    std::shared_ptr<void>& value = cache_[key];
    if (!value) value = make();
    return std::static_pointer_cast<T>(value);
  }

 private:
  /// Throws invalid_argument in a child of the process that made the stream.
  backend::Stream& own();

  std::shared_ptr<backend::Stream> stream_;
  std::shared_ptr<backend::Buffer> scratch_;
  std::map<std::string, std::shared_ptr<void>> cache_;
};

}  // namespace weft
