#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

enum class MemoryUse {
  device,    ///< Fast for the device; the host cannot touch it.
  upload,    ///< The host writes, the device reads.
  download,  ///< The device writes, the host reads (cached where there is such memory).
};

/// A VkBuffer with memory of its own. A plain value: whoever holds it releases it.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;  ///< For upload and download.
  uint64_t address = 0;
};

/// Throws out_of_memory, saying how much was asked for and how much there is.
Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use);
void release(const Device& device, const Allocation& allocation);

}  // namespace weft::vulkan
