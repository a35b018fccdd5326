#pragma once

#include <memory>
#include <utility>

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/mark.h"

namespace weft::cuda_hip {

class Event final : public backend::Event {
 public:
  Event(std::shared_ptr<Device> device, std::shared_ptr<Mark> mark)
      : device_(std::move(device)), mark_(std::move(mark)) {}

  bool done() override;
  void wait(std::chrono::nanoseconds timeout) override;
  backend::Device& device() override { return *device_; }
  EventHandle handle() const { return mark_->handle(); }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Mark> mark_;
};

}  // namespace weft::cuda_hip
