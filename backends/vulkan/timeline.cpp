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
  for (auto& marked : marked_) marked = item.value;
}

Timeline::~Timeline() {
  // On a lost device nobody wants the semaphore again.
  if (reached(submitted_)) device_.semaphores().give_back({semaphore_, submitted_});
}

VkResult Timeline::query(uint64_t& value) const noexcept {
  return device_.vk().vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &value);
}

uint64_t Timeline::completed() const {
  uint64_t value = 0;
  check(query(value), "querying the progress of a stream");
  return value;
}

bool Timeline::reached(uint64_t value) const noexcept {
  uint64_t completed = 0;
  return query(completed) >= 0 && completed >= value;
}

bool Timeline::idle() const noexcept {
  uint64_t completed = 0;
  return query(completed) < 0 || completed >= submitted_;
}

// Makes room for set_lost(), which is called where there is no memory.
void Timeline::set_recording(uint64_t value) {
  const std::lock_guard lock(lost_mutex_);
  lost_.reserve(lost_.size() + 1);
  last_use_ = value;
}

void Timeline::set_lost(uint64_t value) noexcept {
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
  if (result < 0) check(result, "waiting for " + device_.info().name);
  if (result == VK_TIMEOUT) {
    patience_.lose(timeout);
    throw core::timed_out(device_.info().name, timeout);
  }
  patience_.renew();
}

}  // namespace weft::vulkan
