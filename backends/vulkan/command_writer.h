#pragma once

#include <array>

#include "backends/vulkan/descriptors.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

/// Writes commands into a VkCommandBuffer that somebody else began and will end: a stream's batch. It allocates nothing
/// but descriptor sets and, before its first copy or fill, the kernel for it; it submits nothing and waits for nothing.
///
/// Order is kept by a barrier before each command that follows another; within an independent scope, only by those that
/// wait for what came before the scope. Each names no more than the kinds of accesses on both sides: with all of them
/// named, a kernel behind another starts 2.5 us later on an NVIDIA H200.
class CommandWriter {
 public:
  explicit CommandWriter(Device& device) : device_(device) {}

  /// From now on commands go into `commands`, with descriptor sets from `descriptors`. Work of earlier command buffers
  /// counts as not yet visible.
  void begin(VkCommandBuffer commands, DescriptorArena& descriptors);

  void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments);
  void dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments);
  /// Between buffers of the device.
  void copy(const Region& source, const Region& destination);
  /// To or from staging memory.
  void transfer(VkBuffer source, VkBuffer destination, const VkBufferCopy& range);
  void fill(const Region& region, uint32_t word);
  void timestamp(TimestampSlot slot);
  void begin_independent();
  void end_independent();
  /// Makes what the device has written visible to the host once the command buffer is done.
  void make_visible_to_host();

 private:
  /// Kinds of accesses, as bits of a mask; kernels and transfers are what writes.
  enum Kind : uint32_t { kernels = 1, uniforms = 2, indirect = 4, transfers = 8 };
  static constexpr size_t kinds = 4;

  /// A command with accesses of these kinds comes next.
  void order(uint32_t readers);
  /// It came, and wrote as `kind` does.
  void wrote(Kind kind);
  void barrier(uint32_t writers, uint32_t readers);
  void begin_dispatch(const Kernel& kernel, const Arguments& arguments, uint32_t readers);
  void bind(const Kernel& kernel, const Arguments& arguments);
  /// Without order between them, those that `dispatch_of` makes for each part of `bytes`, from where it starts and how
  /// long it is.
  template <typename DispatchOf>
  void dispatch_parts(const Kernel& kernel, uint64_t bytes, const DispatchOf& dispatch_of);

  Device& device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  DescriptorArena* descriptors_ = nullptr;
  VkPipeline bound_ = VK_NULL_HANDLE;
  std::shared_ptr<const Kernel> copy_, fill_;
  std::array<uint32_t, kinds> unordered_{};  ///< For each kind, those of the commands since it last waited for all.
  bool independent_ = false;                 ///< In a scope whose commands do not wait for one another,
  uint32_t scope_ = 0;                       ///< and the kinds of those so far.
};

}  // namespace weft::vulkan
