#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <weft/interop/vulkan.h>

#include "backends/vulkan/functions.h"

namespace weft::vulkan {

/// The two scopes of a barrier. The flags are those of VK_KHR_synchronization2.
struct MemoryBarrier {
  VkPipelineStageFlags2 source_stages = 0;
  VkAccessFlags2 source_accesses = 0;
  VkPipelineStageFlags2 destination_stages = 0;
  VkAccessFlags2 destination_accesses = 0;
};

/// The few points that a submission waits for, or signals. Needs no memory, as a stream submits when it is destroyed.
struct SubmissionPoints {
  /// A stream waits for one before it submits, and signals its timeline and one more.
  static constexpr size_t most = 2;

  void add(const SemaphoreValue& point) { points.at(count++) = point; }

  std::array<SemaphoreValue, most> points{};
  size_t count = 0;
};

/// At most one command buffer. All of its commands run after the waits and before the signals.
struct Submission {
  SubmissionPoints waits;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  SubmissionPoints signals;
};

/// The commands and submissions that have a second form in synchronization2. Thread-safe.
class Synchronization {
 public:
  virtual ~Synchronization() = default;
  virtual void barrier(VkCommandBuffer commands, const MemoryBarrier& barrier) const = 0;
  /// When all commands before it are done.
  virtual void write_timestamp(VkCommandBuffer commands, VkQueryPool pool, uint32_t index) const = 0;
  virtual VkResult submit(VkQueue queue, const Submission& submission, VkFence fence) const = 0;
};

/// Uses the functions of synchronization2 if the device has it enabled and they were found, else those of Vulkan 1.0.
std::unique_ptr<const Synchronization> make_synchronization(const DeviceFunctions& vk, bool synchronization2);

}  // namespace weft::vulkan
