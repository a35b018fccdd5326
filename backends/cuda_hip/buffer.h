#pragma once

#include "backends/cuda_hip/device.h"
#include "core/src/runtime/backend.h"

namespace weft::cuda_hip {

class Buffer final : public backend::Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, uint64_t bytes);
  /// Wraps memory that a host application owns.
  Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes);
  ~Buffer() override;

 private:
  bool owned_;
};

}  // namespace weft::cuda_hip
