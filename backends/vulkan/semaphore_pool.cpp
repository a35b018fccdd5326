#include "backends/vulkan/semaphore_pool.h"

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"

namespace weft::vulkan {

SemaphorePool::Item SemaphorePool::take() {
  std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    const Item item = free_.back();
    free_.pop_back();
    return item;
  }
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  Item item;
  check(device_.vk().vkCreateSemaphore(device_.handle(), &info, device_.allocator(), &item.semaphore),
        "creating a timeline semaphore");
  device_.debug().name(VK_OBJECT_TYPE_SEMAPHORE, item.semaphore, "weft: stream");
  all_.push_back(item.semaphore);
  return item;
}

void SemaphorePool::give_back(Item item) {
  std::lock_guard lock(mutex_);
  free_.push_back(item);
}

void SemaphorePool::destroy() {
  for (VkSemaphore semaphore : all_) device_.vk().vkDestroySemaphore(device_.handle(), semaphore, device_.allocator());
}

}  // namespace weft::vulkan
