#include "backends/vulkan/wrapped_allocator.h"

#include <string>

#include <weft/error.h>

#include "backends/vulkan/device.h"

namespace weft::vulkan {

Allocation WrappedAllocator::allocate(const Device& device, uint64_t bytes, MemoryUse use) {
  const bool host_visible = use != MemoryUse::device;
  const HostBuffer given = host_.allocate(bytes, host_visible);
  const auto refuse = [&](const std::string& what) {
    if (given.buffer) host_.release(given);
    throw Error(given.buffer ? ErrorCode::invalid_argument : ErrorCode::out_of_memory,
                allocating(device, bytes) + " failed: HostBufferAllocator::allocate gave " + what);
  };
  if (!given.buffer) refuse("no buffer");
  if (given.bytes < bytes) refuse("a buffer of " + std::to_string(given.bytes) + " bytes");
  if (given.offset % 256 != 0) refuse("the offset " + std::to_string(given.offset) + ", no multiple of 256");
  if (host_visible && !given.mapped) refuse("memory that is not mapped, and host-visible memory was asked for");
  const uint64_t address = given.address ? given.address : device.address_of(given.buffer) + given.offset;
  if (address % 256 != 0) refuse("the device address " + std::to_string(address) + ", no multiple of 256");
  Allocation allocation;
  allocation.buffer = given.buffer;
  allocation.offset = given.offset;
  allocation.bytes = given.bytes;
  allocation.mapped = static_cast<std::byte*>(given.mapped);
  allocation.address = address;
  return allocation;
}

void WrappedAllocator::release(const Device&, const Allocation& allocation) {
  host_.release({allocation.buffer, allocation.offset, allocation.bytes, allocation.address, allocation.mapped});
}

}  // namespace weft::vulkan
