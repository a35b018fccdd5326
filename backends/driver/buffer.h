#pragma once

#include "backends/driver/device.h"
#include "core/src/backend.h"

namespace weft::driver {

class Buffer final : public backend::Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, uint64_t bytes);
  /// Around memory that stays a host application's.
  Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes);
  ~Buffer() override;

 private:
  bool owned_;
};

}  // namespace weft::driver
