#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>

#include <weft/device.h>
#include <weft/stream.h>

namespace weft::python {

namespace nb = nanobind;

class OpenDevice;

/// Waits for an event without the GIL. Looks for signals meanwhile, so that Ctrl-C interrupts it, and calls `progress`
/// with the seconds that have passed, unless it is None.
void wait_for(const Event& event, std::chrono::nanoseconds timeout, nb::handle progress = nb::none());

/// A stream that several Python threads may use: each command, or group of them, is recorded by one thread alone.
class OpenStream : public std::enable_shared_from_this<OpenStream> {
 public:
  explicit OpenStream(const Device& device) : OpenStream(device, device.stream()) {}
  OpenStream(const Device& device, Stream stream) : device_(device), stream_(std::move(stream)) {}

  const Device& device() const { return device_; }
  /// Another library's stream, which `owner` keeps, or None. It may be gone before work that was recorded into it.
  void set_foreign(nb::object owner) {
    owner_ = std::move(owner);
    is_foreign_ = true;
  }
  bool is_foreign() const { return is_foreign_; }

  /// Calls `record` with the stream, which no other thread uses meanwhile. `record` must not wait: it has the GIL.
  template <typename Record>
  auto alone(const Record& record) {
    const Lock lock(*this);
    return record(stream_);
  }
  /// As above without the GIL, for what waits.
  template <typename Work>
  void alone_without_gil(const Work& work) {
    const nb::gil_scoped_release release;
    const std::lock_guard lock(mutex_);
    work(stream_);
  }

  /// Counts a command that was recorded, and starts what is recorded now and then: so that neither the device idles nor
  /// commands pile up while Python goes on.
  void note_command(Stream& stream) {
    if (++unsubmitted_ < 16) return;
    unsubmitted_ = 0;
    stream.submit();
  }

  Event record() {
    return alone([](Stream& stream) { return stream.record(); });
  }
  void synchronize(nb::handle progress = nb::none());

 private:
  /// A thread that waits for another's recording does not hold the GIL.
  class Lock {
   public:
    explicit Lock(OpenStream& stream) : mutex_(stream.mutex_) {
      if (mutex_.try_lock()) return;
      const nb::gil_scoped_release release;
      mutex_.lock();
    }
    ~Lock() { mutex_.unlock(); }
    Lock(const Lock&) = delete;

   private:
    std::mutex& mutex_;
  };

  nb::object owner_;  // outlives the stream below
  const Device device_;
  std::mutex mutex_;
  Stream stream_;
  uint32_t unsubmitted_ = 0;
  bool is_foreign_ = false;
};

}  // namespace weft::python
