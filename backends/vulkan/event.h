#pragma once

#include <memory>
#include <utility>

#include "backends/vulkan/device.h"
#include "backends/vulkan/timeline.h"

namespace weft::vulkan {

class Event final : public backend::Event {
 public:
  Event(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value)
      : device_(std::move(device)), timeline_(std::move(timeline)), value_(value) {}

  bool done() override { return timeline_->completed() >= value_; }
  void wait(std::chrono::nanoseconds timeout) override { timeline_->wait(value_, timeout); }
  backend::Device& device() override { return *device_; }
  SemaphoreValue point() const { return {timeline_->semaphore(), value_}; }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Timeline> timeline_;
  uint64_t value_;
};

}  // namespace weft::vulkan
