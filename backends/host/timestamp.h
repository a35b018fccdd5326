#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "backends/host/device.h"

namespace weft::host {

class Timestamp final : public backend::Timestamp {
 public:
  explicit Timestamp(std::shared_ptr<Device> device) : device_(std::move(device)) {}

  backend::Device& device() override { return *device_; }
  double seconds_since(backend::Timestamp& start) override;
  /// The stream's thread stores nanoseconds of the steady clock here; 0 until then.
  const std::shared_ptr<std::atomic<uint64_t>>& slot() const { return slot_; }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<std::atomic<uint64_t>> slot_ = std::make_shared<std::atomic<uint64_t>>(0);
};

}  // namespace weft::host
