#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/patience.h"

namespace weft::vulkan {

class Device;

/// A stream's timeline semaphore. It counts the stream's submissions and reaches a value when that submission is done.
/// Thread-safe, except for set_recording() and set_submitted().
class Timeline {
 public:
  explicit Timeline(Device& device);
  ~Timeline();
  Timeline(const Timeline&) = delete;

  VkSemaphore semaphore() const { return semaphore_; }
  /// Throws device_lost.
  uint64_t completed() const;
  /// False on a lost device: it completes nothing more, and its objects are destroyed with it.
  bool reached(uint64_t value) const;
  /// Whether all submissions are done, or never will be because the device is lost.
  bool idle() const;
  /// Throws timeout if `value` is not reached in time, device_lost if it never will be.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const { return submitted_; }
  /// The value that covers all work that is submitted or being recorded now.
  uint64_t last_use() const { return last_use_; }

  /// Called by the stream while it records or has submitted submission `value`.
  void set_recording(uint64_t value) { last_use_ = value; }
  void set_submitted(uint64_t value) { submitted_ = value; }
  /// Submission `value` was recorded and can never be submitted. Later values cover it.
  void set_lost(uint64_t value);
  bool lost(uint64_t value) const;

 private:
  Device& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::atomic<uint64_t> submitted_;
  std::atomic<uint64_t> last_use_;
  mutable core::Patience patience_;
  mutable std::mutex lost_mutex_;
  std::vector<uint64_t> lost_;
};

}  // namespace weft::vulkan
