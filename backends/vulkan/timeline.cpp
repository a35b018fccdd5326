#include "backends/vulkan/timeline.h"

#include <algorithm>

#include <weft/error.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"

namespace weft::vulkan {

Timeline::Timeline(Device& device) : device_(device) {
  const SemaphorePool::Item item = device_.semaphores().take();
  semaphore_ = item.semaphore;
  submitted_ = last_use_ = item.value;
}

Timeline::~Timeline() {
  // On a lost device nobody wants the semaphore again.
  if (reached(submitted_)) device_.semaphores().give_back({semaphore_, submitted_});
}

uint64_t Timeline::completed() const {
  uint64_t value = 0;
  check(device_.vk().vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &value),
        "querying the progress of a stream");
  return value;
}

bool Timeline::reached(uint64_t value) const {
  try {
    return completed() >= value;
  } catch (const Error&) {
    return false;
  }
}

bool Timeline::idle() const {
  try {
    return completed() >= submitted_;
  } catch (const Error&) {
    return true;
  }
}

void Timeline::set_lost(uint64_t value) {
  const std::lock_guard lock(lost_mutex_);
  lost_.push_back(value);
}

bool Timeline::lost(uint64_t value) const {
  const std::lock_guard lock(lost_mutex_);
  return std::ranges::find(lost_, value) != lost_.end();
}

void Timeline::wait(uint64_t value, std::chrono::nanoseconds timeout) const {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &value;
  const VkResult result = device_.vk().vkWaitSemaphores(device_.handle(), &info, uint64_t(timeout.count()));
  check(result, "waiting for " + device_.info().name);
  if (result == VK_TIMEOUT) {
    patience_.lose(timeout);
    throw core::timed_out(device_.info().name, timeout);
  }
  patience_.renew();
}

}  // namespace weft::vulkan
