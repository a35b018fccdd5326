#include "backends/vulkan/timeline.h"

#include <algorithm>
#include <string>

#include <weft/error.h>

#include "backends/vulkan/device.h"
#include "backends/vulkan/errors.h"
#include "core/src/runtime/messages.h"

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
  check(device_.vk().vkCreateSemaphore(device_.handle(), &info, nullptr, &item.semaphore),
        "creating a timeline semaphore");
  all_.push_back(item.semaphore);
  return item;
}

void SemaphorePool::give_back(Item item) {
  std::lock_guard lock(mutex_);
  free_.push_back(item);
}

void SemaphorePool::destroy() {
  for (VkSemaphore semaphore : all_) device_.vk().vkDestroySemaphore(device_.handle(), semaphore, nullptr);
}

Timeline::Timeline(Device& device) : device_(device) {
  const SemaphorePool::Item item = device_.semaphores().take();
  semaphore_ = item.semaphore;
  submitted_ = last_use_ = item.value;
}

Timeline::~Timeline() {
  try {
    if (completed() >= submitted_) device_.semaphores().give_back({semaphore_, submitted_});
  } catch (const Error&) {
    // The device is lost; nobody will want the semaphore again.
  }
}

uint64_t Timeline::completed() const {
  uint64_t value = 0;
  check(device_.vk().vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &value), "asking how far a stream is");
  return value;
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

void Retirement::add(const std::shared_ptr<Timeline>& timeline) {
  std::lock_guard lock(mutex_);
  std::erase_if(timelines_, [](const auto& t) { return t.expired(); });
  timelines_.push_back(timeline);
}

std::vector<std::shared_ptr<Timeline>> Retirement::timelines() {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Timeline>> alive;
  for (const auto& weak : timelines_) {
    if (auto timeline = weak.lock()) alive.push_back(std::move(timeline));
  }
  return alive;
}

void Retirement::retire(std::function<void()> destroy) {
  Entry entry{{}, std::move(destroy)};
  for (auto& timeline : timelines()) {
    const uint64_t value = timeline->last_use();
    entry.uses.push_back({std::move(timeline), value});
  }
  {
    std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  collect();
}

void Retirement::collect() {
  std::vector<Entry> due;
  {
    std::lock_guard lock(mutex_);
    // A lost device completes nothing more, and its objects go with it: what cannot be asked counts as not done.
    auto done = [](const Use& use) {
      try {
        return use.timeline->completed() >= use.value;
      } catch (const Error&) {
        return false;
      }
    };
    auto waiting = [&](const Entry& entry) { return !std::ranges::all_of(entry.uses, done); };
    auto first_due = std::stable_partition(entries_.begin(), entries_.end(), waiting);
    std::move(first_due, entries_.end(), std::back_inserter(due));
    entries_.erase(first_due, entries_.end());
  }
  for (Entry& entry : due) entry.destroy();
}

bool Retirement::idle() {
  return std::ranges::all_of(timelines(), [](const auto& timeline) {
    try {
      return timeline->completed() >= timeline->submitted();
    } catch (const Error&) {
      return true;
    }
  });
}

void Retirement::drain() {
  std::vector<Entry> all;
  {
    std::lock_guard lock(mutex_);
    all.swap(entries_);
  }
  for (Entry& entry : all) entry.destroy();
}

}  // namespace weft::vulkan
