#pragma once

#include <memory>
#include <utility>

#include "backends/host/device.h"
#include "backends/host/queue.h"

namespace weft::host {

class Event final : public backend::Event {
 public:
  Event(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline, uint64_t value)
      : device_(std::move(device)), point_{std::move(timeline), value} {}

  bool done() override { return point_.timeline->done(point_.value); }
  void wait(std::chrono::nanoseconds timeout) override { point_.timeline->wait(point_.value, timeout); }
  backend::Device& device() override { return *device_; }
  const Point& point() const { return point_; }

 private:
  std::shared_ptr<Device> device_;
  Point point_;
};

}  // namespace weft::host
