#pragma once

#include "backends/vulkan/descriptors.h"
#include "core/src/backend.h"

namespace weft::vulkan {

/// Writes commands into a VkCommandBuffer that somebody else began and will end: a stream's batch. It allocates nothing
/// but descriptor sets, submits nothing and waits for nothing.
///
/// Order is kept by one barrier before each command that follows another, and none within an independent scope.
class CommandWriter {
 public:
  explicit CommandWriter(Device& device) : device_(device) {}

  /// From now on commands go into `commands`, with descriptor sets from `descriptors`. Work of earlier command buffers
  /// counts as not yet visible.
  void begin(VkCommandBuffer commands, DescriptorArena& descriptors);

  void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments);
  void dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments);
  void copy(VkBuffer source, uint64_t source_offset, VkBuffer destination, uint64_t destination_offset, uint64_t bytes);
  void fill(const Region& region, uint32_t word);
  void timestamp(TimestampSlot slot);
  void begin_independent();
  void end_independent();
  /// Makes what the device has written visible to the host once the command buffer is done.
  void make_visible_to_host();

 private:
  void order();
  void barrier();
  void bind(const Kernel& kernel, const Arguments& arguments);

  Device& device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  DescriptorArena* descriptors_ = nullptr;
  VkPipeline bound_ = VK_NULL_HANDLE;
  bool pending_ = false;      ///< Some command's writes are not visible to the next yet.
  bool independent_ = false;  ///< In a scope whose commands do not wait for one another.
};

}  // namespace weft::vulkan
