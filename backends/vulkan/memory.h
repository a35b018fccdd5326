#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

enum class MemoryUse {
  device,    ///< Fast for the device; the host cannot access it.
  upload,    ///< The host writes, the device reads.
  download,  ///< The device writes, the host reads (cached if possible).
};

/// A VkBuffer with its own memory. A plain value: its holder releases it.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;  ///< For upload and download only.
  uint64_t address = 0;
};

/// Throws out_of_memory with the requested size and the size of the device's memory.
Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use);
void release(const Device& device, const Allocation& allocation);

}  // namespace weft::vulkan
