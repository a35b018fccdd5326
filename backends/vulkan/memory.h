#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

class Device;

enum class MemoryUse {
  device,    ///< Fast for the device; the host cannot access it.
  upload,    ///< The host writes, the device reads.
  download,  ///< The device writes, the host reads (cached if possible).
};

/// Part of a VkBuffer. A plain value: whoever holds it releases it.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0;
  VkDeviceMemory memory = VK_NULL_HANDLE;  ///< Null where it is not the allocation's own.
  std::byte* mapped = nullptr;             ///< For upload and download, at `offset`.
  uint64_t address = 0;                    ///< Of `offset`, for use by the device.
  uint64_t bytes = 0;
};

/// Where the memory of a device's buffers comes from. Thread-safe.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Throws out_of_memory, saying how much was asked for and how much there is.
  virtual Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) = 0;
  /// No work uses it any more.
  virtual void release(const Device& device, const Allocation& allocation) = 0;
};

/// vkAllocateMemory: a VkBuffer with memory of its own for each allocation.
class DriverMemory final : public Memory {
 public:
  DriverMemory(const InstanceFunctions& vk, VkPhysicalDevice device);
  Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) override;
  void release(const Device& device, const Allocation& allocation) override;

 private:
  VkPhysicalDeviceMemoryProperties properties_{};
};

/// "allocating 1.00 GiB (1073741824 bytes) on ..., which has ... in all,"
std::string allocating(const Device& device, uint64_t bytes);

}  // namespace weft::vulkan
