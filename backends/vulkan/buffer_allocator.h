#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "backends/vulkan/functions.h"
#include "core/src/platform/handle.h"

namespace weft::vulkan {

class Device;

/// Usage of the VkBuffers that Weft creates for MemoryUse::device.
constexpr VkBufferUsageFlags device_buffer_usage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

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
  uint64_t memory_bytes = 0;  ///< Size of `memory`.
};

/// Extends the structures that create a buffer and its memory, for memory that is shared with others.
struct AllocationChain {
  const void* buffer = nullptr;  ///< pNext of VkBufferCreateInfo.
  const void* memory = nullptr;  ///< Appended to pNext of VkMemoryAllocateInfo.
  /// For an import. The driver owns the descriptor once it has allocated.
  core::Handle* imported = nullptr;
  uint64_t imported_bytes = 0;  ///< Size of the imported memory.
};

/// Allocator for the memory of a device's buffers. Thread-safe.
class BufferAllocator {
 public:
  virtual ~BufferAllocator() = default;
  /// Throws out_of_memory with the requested size and the size of the memory.
  virtual Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) = 0;
  /// No work may use it any more.
  virtual void release(const Device& device, const Allocation& allocation) = 0;
};

/// vkAllocateMemory: a VkBuffer with memory of its own for each allocation.
class DriverAllocator final : public BufferAllocator {
 public:
  DriverAllocator(const InstanceFunctions& vk, VkPhysicalDevice device);
  Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use) override {
    return allocate(device, bytes, use, {});
  }
  Allocation allocate(const Device& device, uint64_t bytes, MemoryUse use, const AllocationChain& chain);
  void release(const Device& device, const Allocation& allocation) override;

 private:
  VkPhysicalDeviceMemoryProperties properties_{};
};

/// "allocating 1.00 GiB (1073741824 bytes) on ..., which has ... in all,"
std::string allocating(const Device& device, uint64_t bytes);

}  // namespace weft::vulkan
