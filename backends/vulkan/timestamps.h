#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

class Device;
class Timeline;

/// One slot of a query pool.
struct TimestampSlot {
  VkQueryPool pool = VK_NULL_HANDLE;
  uint32_t index = 0;
};

/// Slots for timestamps, shared by a device's streams. Thread-safe.
class TimestampPool {
 public:
  explicit TimestampPool(Device& device) : device_(device) {}
  /// Destroys the pools; the device is idle and about to go.
  void destroy();

  /// A slot that has been reset and is in nobody's use.
  TimestampSlot acquire();
  void release(TimestampSlot slot);

 private:
  static constexpr uint32_t slots_per_pool = 256;

  Device& device_;
  std::mutex mutex_;
  std::vector<VkQueryPool> pools_;
  std::vector<TimestampSlot> free_;
};

class Timestamp final : public backend::Timestamp {
 public:
  /// A timestamp that submission `value` of `timeline` writes.
  Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value);
  ~Timestamp() override;

  backend::Device& device() override;
  double seconds_since(backend::Timestamp& start) override;
  TimestampSlot slot() const { return slot_; }

 private:
  uint64_t ticks() const;

  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  uint64_t value_;
  TimestampSlot slot_;
};

}  // namespace weft::vulkan
