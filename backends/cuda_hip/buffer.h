#pragma once

#include <memory>

#include "backends/cuda_hip/device.h"
#include "core/src/runtime/backend.h"

namespace weft::cuda_hip {

/// Device memory, released when this is destroyed.
class OwnedMemory final : public core::Remains {
 public:
  explicit OwnedMemory(const Device& device) : device_(device) {}
  ~OwnedMemory() override;

  /// Throws out_of_memory with the requested size and what is left. Called once.
  void allocate(uint64_t bytes);
  uint64_t address() const { return address_; }

 private:
  const Device& device_;
  uint64_t address_ = 0;
};

class Buffer final : public backend::Buffer {
 public:
  Buffer(std::shared_ptr<Device> device, std::unique_ptr<OwnedMemory> memory, uint64_t bytes);
  /// Wraps memory that a host application owns.
  Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes);
  ~Buffer() override;

 private:
  std::unique_ptr<OwnedMemory> memory_;  ///< Null for a host application's.
};

}  // namespace weft::cuda_hip
