#include "backends/vulkan/buffer.h"

#include <string>

#include <weft/error.h>

namespace weft::vulkan {

OwnedBuffer::OwnedBuffer(std::shared_ptr<Device> device, uint64_t bytes)
    : OwnedBuffer(device, device->buffer_allocator(),
                  device->buffer_allocator().allocate(*device, bytes, MemoryUse::device), bytes) {}

OwnedBuffer::OwnedBuffer(std::shared_ptr<Device> device, BufferAllocator& allocator, const Allocation& allocation,
                         uint64_t bytes)
    : Buffer(std::move(device), allocation, bytes), allocator_(allocator), allocation_(allocation) {}

OwnedBuffer::~OwnedBuffer() {
  auto& device = static_cast<Device&>(*device_);
  device.retire(
      [&device, &allocator = allocator_, allocation = allocation_] { allocator.release(device, allocation); });
}

BufferSlice slice_of(const Region& region, const char* what) {
  const auto& buffer = static_cast<const Buffer&>(*region.buffer);
  if (!buffer.handle()) {
    throw Error(ErrorCode::invalid_argument, std::string(what) +
                                                 " needs a VkBuffer, and this memory was wrapped by its address alone; "
                                                 "wrap it with vulkan::wrap_buffer().");
  }
  return {buffer.handle(), buffer.base_offset() + region.offset};
}

}  // namespace weft::vulkan
