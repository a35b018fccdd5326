#include "backends/cuda_hip/buffer.h"

#include "core/src/runtime/messages.h"

namespace weft::cuda_hip {

OwnedMemory::~OwnedMemory() {
  if (address_ != 0) device_.clean_up([&] { device_.api().release(address_); });
}

void OwnedMemory::allocate(uint64_t bytes) {
  address_ = device_.call([&] {
    try {
      return device_.api().allocate(bytes);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::out_of_memory) throw;
      throw Error(ErrorCode::out_of_memory,
                  "allocating " + core::gibibytes(bytes) + " (" + std::to_string(bytes) + " bytes) on " +
                      device_.info().name + ", which has " + core::gibibytes(device_.api().free_memory_bytes()) +
                      " left of " + core::gibibytes(device_.info().limits.memory_bytes) + ", failed: " + error.what());
    }
  });
}

Buffer::Buffer(std::shared_ptr<Device> device, std::unique_ptr<OwnedMemory> memory, uint64_t bytes)
    : backend::Buffer(std::move(device), memory->address(), bytes), memory_(std::move(memory)) {}

Buffer::Buffer(std::shared_ptr<Device> device, uint64_t address, uint64_t bytes)
    : backend::Buffer(std::move(device), address, bytes) {}

Buffer::~Buffer() {
  if (!memory_) return;
  auto& device = static_cast<Device&>(*device_);
  device.clean_up([&] { device.retire(std::move(memory_)); });
}

}  // namespace weft::cuda_hip
