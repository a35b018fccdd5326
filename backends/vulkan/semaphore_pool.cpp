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
  return {create(nullptr, "weft: stream"), 0};
}

VkSemaphore SemaphorePool::create_exportable() {
  VkExportSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
  info.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  std::lock_guard lock(mutex_);
  return create(&info, "weft: exportable");
}

VkSemaphore SemaphorePool::create(const void* next, const char* name) {
  // Room for all, so that none needs memory to come back.
  all_.reserve(all_.size() + 1);
  free_.reserve(all_.size() + 1);
  VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, next};
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(device_.vk().vkCreateSemaphore(device_.handle(), &info, device_.allocator(), &semaphore),
        "creating a timeline semaphore");
  device_.debug().name(VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
  all_.push_back(semaphore);
  return semaphore;
}

void SemaphorePool::give_back(Item item) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(item);
}

void SemaphorePool::destroy() {
  for (VkSemaphore semaphore : all_) device_.vk().vkDestroySemaphore(device_.handle(), semaphore, device_.allocator());
}

}  // namespace weft::vulkan
