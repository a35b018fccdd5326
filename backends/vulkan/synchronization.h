#pragma once

#include <memory>
#include <span>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// What comes before a barrier, and what behind it. The flags are those of VK_KHR_synchronization2.
struct MemoryBarrier {
  VkPipelineStageFlags2 source_stages = 0;
  VkAccessFlags2 source_accesses = 0;
  VkPipelineStageFlags2 destination_stages = 0;
  VkAccessFlags2 destination_accesses = 0;
};

/// A value of a timeline semaphore.
struct SemaphorePoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

/// One command buffer, what it waits for and what it signals, both with all of its commands. No command buffer: none.
struct Submission {
  std::span<const SemaphorePoint> waits;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  std::span<const SemaphorePoint> signals;
};

/// The commands and submissions that synchronization2 has brought a second form of. Thread-safe.
class Synchronization {
 public:
  virtual ~Synchronization() = default;
  virtual void barrier(VkCommandBuffer commands, const MemoryBarrier& barrier) const = 0;
  /// Once all commands before it are done.
  virtual void write_timestamp(VkCommandBuffer commands, VkQueryPool pool, uint32_t index) const = 0;
  virtual VkResult submit(VkQueue queue, const Submission& submission, VkFence fence) const = 0;
};

/// With the functions of synchronization2 where the device has enabled it, with those of Vulkan 1.0 otherwise.
std::unique_ptr<const Synchronization> make_synchronization(const DeviceFunctions& vk, bool synchronization2);

}  // namespace weft::vulkan
