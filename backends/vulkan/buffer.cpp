#include "backends/vulkan/buffer.h"

#include <string>

#include <weft/error.h>

namespace weft::vulkan {

OwnedBuffer::OwnedBuffer(std::shared_ptr<Device> device, std::unique_ptr<OwnedMemory> memory, uint64_t bytes)
    : Buffer(std::move(device), memory->allocation(), bytes), memory_(std::move(memory)) {}

OwnedBuffer::~OwnedBuffer() { static_cast<Device&>(*device_).retire(std::move(memory_)); }

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
