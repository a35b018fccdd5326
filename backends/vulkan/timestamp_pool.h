#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/retirement.h"

namespace weft::vulkan {

class Device;

/// One slot of a query pool.
struct TimestampSlot {
  VkQueryPool pool = VK_NULL_HANDLE;
  uint32_t index = 0;
};

/// Slots for timestamps, shared by the streams of a device. Thread-safe.
class TimestampPool {
 public:
  explicit TimestampPool(Device& device) : device_(device) {}
  /// Destroys the query pools. The device must be idle and about to be destroyed.
  void destroy();

  /// Returns a free slot, which has been reset.
  TimestampSlot acquire();
  void release(TimestampSlot slot) noexcept;

 private:
  static constexpr uint32_t slots_per_pool = 256;

  Device& device_;
  std::mutex mutex_;
  std::vector<VkQueryPool> pools_;
  std::vector<TimestampSlot> free_;
};

/// A slot, released with this.
class OwnedTimestampSlot final : public core::Remains {
 public:
  explicit OwnedTimestampSlot(TimestampPool& pool) : pool_(pool), slot_(pool.acquire()) {}
  ~OwnedTimestampSlot() override { pool_.release(slot_); }

  TimestampSlot slot() const { return slot_; }

 private:
  TimestampPool& pool_;
  const TimestampSlot slot_;
};

}  // namespace weft::vulkan
