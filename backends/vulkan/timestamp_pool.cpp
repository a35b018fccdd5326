#include "backends/vulkan/timestamp_pool.h"

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"

namespace weft::vulkan {

void TimestampPool::destroy() {
  for (VkQueryPool pool : pools_) device_.vk().vkDestroyQueryPool(device_.handle(), pool, device_.allocator());
}

TimestampSlot TimestampPool::acquire() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = slots_per_pool;
    // Room for all slots, so that none needs memory to come back.
    free_.reserve((pools_.size() + 1) * slots_per_pool);
    pools_.reserve(pools_.size() + 1);
    VkQueryPool pool = VK_NULL_HANDLE;
    check(device_.vk().vkCreateQueryPool(device_.handle(), &info, device_.allocator(), &pool),
          "creating a timestamp pool");
    device_.debug().name(VK_OBJECT_TYPE_QUERY_POOL, pool, "weft: timestamps");
    pools_.push_back(pool);
    for (uint32_t i = slots_per_pool; i-- > 0;) free_.push_back({pool, i});
  }
  const TimestampSlot slot = free_.back();
  free_.pop_back();
  device_.vk().vkResetQueryPool(device_.handle(), slot.pool, slot.index, 1);
  return slot;
}

void TimestampPool::release(TimestampSlot slot) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

}  // namespace weft::vulkan
