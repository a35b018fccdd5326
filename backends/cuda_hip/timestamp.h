#pragma once

#include <memory>
#include <utility>

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/mark.h"

namespace weft::cuda_hip {

class Timestamp final : public backend::Timestamp {
 public:
  Timestamp(std::shared_ptr<Device> device, std::shared_ptr<Mark> mark)
      : device_(std::move(device)), mark_(std::move(mark)) {}

  backend::Device& device() override { return *device_; }
  double seconds_since(backend::Timestamp& start) override;

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Mark> mark_;
};

}  // namespace weft::cuda_hip
