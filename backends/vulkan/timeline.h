#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/patience.h"
#include "core/src/runtime/retirement.h"

namespace weft::vulkan {

class Device;

/// A stream's timeline semaphore. It counts the stream's submissions and reaches a value when that submission is done.
/// Thread-safe, except for set_recording() and set_submitted().
class Timeline final : public core::Work {
 public:
  explicit Timeline(Device& device);
  ~Timeline() override;
  Timeline(const Timeline&) = delete;

  VkSemaphore semaphore() const { return semaphore_; }
  /// Throws device_lost.
  uint64_t completed() const;
  /// False on a lost device: it completes nothing more, and its objects are destroyed with it.
  bool reached(uint64_t value) const noexcept;
  /// Whether all submissions are done, or never will be because the device is lost.
  bool idle() const noexcept;
  void mark(size_t mark) noexcept override { marked_[mark] = last_use(); }
  bool is_marked(size_t mark) noexcept override { return marked_[mark] == last_use(); }
  bool passed(size_t mark) noexcept override { return reached(marked_[mark]); }
  /// Throws timeout if `value` is not reached in time, device_lost if it never will be.
  void wait(uint64_t value, std::chrono::nanoseconds timeout) const;

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const { return submitted_; }
  /// The value that covers all work that is submitted or being recorded now.
  uint64_t last_use() const { return last_use_; }

  /// Called by the stream while it records or has submitted submission `value`.
  void set_recording(uint64_t value);
  void set_submitted(uint64_t value) { submitted_ = value; }
  /// What is being recorded will not be submitted.
  void stop_recording() noexcept { last_use_ = submitted_.load(); }
  /// Submission `value` was recorded and can never be submitted. Later values cover it.
  void set_lost(uint64_t value) noexcept;
  bool lost(uint64_t value) const;

 private:
  VkResult query(uint64_t& value) const noexcept;

  Device& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::atomic<uint64_t> submitted_;
  std::atomic<uint64_t> last_use_;
  std::array<std::atomic<uint64_t>, marks> marked_;
  mutable core::Patience patience_;
  mutable std::mutex lost_mutex_;
  std::vector<uint64_t> lost_;
};

}  // namespace weft::vulkan
