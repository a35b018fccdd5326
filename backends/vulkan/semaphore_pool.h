#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

/// The timeline semaphores of a device. A new stream continues counting where an earlier one stopped. All semaphores
/// live as long as the device: Mesa's submission thread still touches an emulated one for a moment after the work that
/// waits for it is done, so destroying it as soon as Vulkan allows crashes there. Thread-safe.
class SemaphorePool {
 public:
  struct Item {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint64_t value = 0;  ///< The last value that was signalled.
  };
  explicit SemaphorePool(Device& device) : device_(device) {}

  Item take();
  /// A semaphore for others to import, which counts from 0. Throws what the driver reports.
  VkSemaphore create_exportable();
  /// `item.value` has been reached.
  void give_back(Item item) noexcept;
  /// Destroys all semaphores. The device must be idle and about to be destroyed.
  void destroy();

 private:
  /// `next`: pNext of VkSemaphoreTypeCreateInfo. Needs the lock.
  VkSemaphore create(const void* next, const char* name);

  Device& device_;
  std::mutex mutex_;
  std::vector<VkSemaphore> all_;
  std::vector<Item> free_;
};

}  // namespace weft::vulkan
