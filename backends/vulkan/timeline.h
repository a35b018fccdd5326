#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/patience.h"

namespace weft::vulkan {

class Device;

/// Timeline semaphores of a device. A later stream goes on counting where an earlier one stopped, and all of them live
/// as long as the device: Mesa's emulated ones are still touched by its submission thread for a moment after the work
/// that waits for them is done, so destroying one as soon as Vulkan allows it crashes there. Thread-safe.
class SemaphorePool {
 public:
  struct Item {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint64_t value = 0;  ///< What it has counted to.
  };
  explicit SemaphorePool(Device& device) : device_(device) {}

  Item take();
  /// `item.value` has been reached.
  void give_back(Item item);
  /// Destroys all of them; the device is idle and about to go.
  void destroy();

 private:
  Device& device_;
  std::mutex mutex_;
  std::vector<VkSemaphore> all_;
  std::vector<Item> free_;
};

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

  const core::Patience& patience() const { return patience_; }

  uint64_t submitted() const { return submitted_; }
  /// The value that covers all work submitted or being recorded now.
  uint64_t last_use() const { return last_use_; }

  /// The stream says: commands of submission `value` are being recorded, or have been submitted.
  void set_recording(uint64_t value) { last_use_ = value; }
  void set_submitted(uint64_t value) { submitted_ = value; }

 private:
  Device& device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::atomic<uint64_t> submitted_;
  std::atomic<uint64_t> last_use_;
  mutable core::Patience patience_;
};

/// Puts the destruction of objects off until the work that may use them is done. Thread-safe.
class Retirement {
 public:
  void add(const std::shared_ptr<Timeline>& timeline);
  /// The timelines of streams that live, and of those that died with work on its way.
  std::vector<std::shared_ptr<Timeline>> timelines();

  /// Runs `destroy` once everything that any stream has recorded so far is done; at once when nothing is in flight.
  void retire(std::function<void()> destroy);
  /// Runs what is due.
  void collect();
  /// Whether everything submitted is done, or never will be because the device is lost.
  bool idle();
  /// Runs everything: the device is idle and about to go.
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
