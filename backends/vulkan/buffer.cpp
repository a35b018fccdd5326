#include "backends/vulkan/buffer.h"

namespace weft::vulkan {

Buffer::Buffer(std::shared_ptr<Device> device, uint64_t bytes)
    : Buffer(device, allocate(*device, bytes, MemoryUse::device), bytes) {}

Buffer::Buffer(std::shared_ptr<Device> device, const Allocation& allocation, uint64_t bytes)
    : backend::Buffer(std::move(device), allocation.address, bytes), allocation_(allocation) {}

Buffer::~Buffer() {
  auto& device = static_cast<Device&>(*device_);
  device.retire([&device, allocation = allocation_] { release(device, allocation); });
}

}  // namespace weft::vulkan
