#include "backends/vulkan/timestamps.h"

#include <weft/error.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

void TimestampPool::destroy() {
  for (VkQueryPool pool : pools_) device_.vk().vkDestroyQueryPool(device_.handle(), pool, nullptr);
}

TimestampSlot TimestampPool::acquire() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = slots_per_pool;
    VkQueryPool pool = VK_NULL_HANDLE;
    check(device_.vk().vkCreateQueryPool(device_.handle(), &info, nullptr, &pool), "creating a timestamp pool");
    pools_.push_back(pool);
    for (uint32_t i = slots_per_pool; i-- > 0;) free_.push_back({pool, i});
  }
  const TimestampSlot slot = free_.back();
  free_.pop_back();
  device_.vk().vkResetQueryPool(device_.handle(), slot.pool, slot.index, 1);
  return slot;
}

void TimestampPool::release(TimestampSlot slot) {
  std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

Timestamp::Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value)
    : device_(std::move(device)),
      timeline_(std::move(timeline)),
      value_(value),
      slot_(device_->timestamps().acquire()) {}

Timestamp::~Timestamp() {
  // The command that writes the slot may still be on its way.
  device_->retirement().retire([&pool = device_->timestamps(), slot = slot_] { pool.release(slot); });
}

backend::Device& Timestamp::device() { return *device_; }

double Timestamp::seconds_since(backend::Timestamp& start) {
  const auto passed = int64_t(ticks() - static_cast<Timestamp&>(start).ticks());
  return double(passed) * device_->info().limits.timestamp_period_ns * 1e-9;
}

uint64_t Timestamp::ticks() const {
  // Not by asking the query: lavapipe's answers race with the work that is under way.
  if (timeline_->completed() < value_) throw core::not_passed();
  uint64_t ticks = 0;
  const VkResult result =
      device_->vk().vkGetQueryPoolResults(device_->handle(), slot_.pool, slot_.index, 1, sizeof ticks, &ticks,
                                          sizeof ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  check(result, "reading a timestamp");
  return ticks;
}

}  // namespace weft::vulkan
