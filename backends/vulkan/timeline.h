#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

/// A stream's timeline semaphore: it counts the stream's submissions, and reaches a value when that one is done.
/// Thread-safe, but for the two functions that the stream calls while it submits.
class Timeline {
 public:
  explicit Timeline(Device& device);
  ~Timeline();
  Timeline(const Timeline&) = delete;

  VkSemaphore semaphore() const { return semaphore_; }
  uint64_t completed() const;
  /// Throws timeout when `value` is not reached in time, device_lost when it never will be.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;

  uint64_t submitted() const { return submitted_; }
  /// The value that covers all work submitted or being recorded now.
  uint64_t last_use() const { return last_use_; }

  /// The stream says: commands of submission `value` are being recorded, or have been submitted.
  void set_recording(uint64_t value) { last_use_ = value; }
  void set_submitted(uint64_t value) { submitted_ = value; }

 private:
  Device& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::atomic<uint64_t> submitted_ = 0;
  std::atomic<uint64_t> last_use_ = 0;
};

/// Puts the destruction of objects off until the work that may use them is done. Thread-safe.
class Retirement {
 public:
  void add(const std::shared_ptr<Timeline>& timeline);
  /// The timelines of streams that live.
  std::vector<std::shared_ptr<Timeline>> timelines();

  /// Runs `destroy` once everything that any stream has recorded so far is done; at once when nothing is in flight.
  void retire(std::function<void()> destroy);
  /// Runs what is due.
  void collect();
  /// Runs everything: the device is idle, or about to go.
  void drain();

 private:
  struct Use {
    std::shared_ptr<Timeline> timeline;
    uint64_t value;
  };
  struct Entry {
    std::vector<Use> uses;
    std::function<void()> destroy;
  };
  std::mutex mutex_;
  std::vector<std::weak_ptr<Timeline>> timelines_;
  std::vector<Entry> entries_;
};

}  // namespace weft::vulkan
