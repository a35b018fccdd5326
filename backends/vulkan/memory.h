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

/// Part of a VkBuffer. A plain value, which its holder must release.
struct Allocation {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0;
  VkDeviceMemory memory = VK_NULL_HANDLE;  ///< Null if the memory is not this allocation's alone.
  std::byte* mapped = nullptr;             ///< For upload and download, at `offset`.
  uint64_t address = 0;                    ///< Device address of `offset`.
  uint64_t bytes = 0;
};

/// Allocator for the memory of a device's buffers. Thread-safe.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Throws out_of_memory with the requested size and the size of the memory.
  virtual Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) = 0;
  /// No work may use it any more.
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
