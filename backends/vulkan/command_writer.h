#pragma once

#include <array>

#include "backends/vulkan/descriptors.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

/// Records commands into a VkCommandBuffer that its owner, such as a stream, begins and ends. Allocates only descriptor
/// sets and, before the first copy or fill, the kernel for it. Never submits or waits.
///
/// A barrier before each command orders it after the previous ones. In an independent scope, barriers order commands
/// only after those before the scope. A barrier names only the kinds of accesses that occur on either side: if it names
/// all, a kernel after another kernel starts 2.5 us later on an NVIDIA H200.
class CommandWriter {
 public:
  explicit CommandWriter(Device& device) : device_(device) {}

  /// Records into `commands` from now on, with descriptor sets from `descriptors`. Writes of earlier command buffers
  /// count as not yet visible.
  void begin(VkCommandBuffer commands, DescriptorArena& descriptors);

  void dispatch(const Kernel& kernel, Groups groups, const Arguments& arguments);
  void dispatch_indirect(const Kernel& kernel, const Region& groups, const Arguments& arguments);
  /// Copies between buffers of the device.
  void copy(const Region& source, const Region& destination);
  /// Copies to or from staging memory.
  void transfer(VkBuffer source, VkBuffer destination, const VkBufferCopy& range);
  void fill(const Region& region, uint32_t word);
  void timestamp(TimestampSlot slot);
  void begin_independent();
  void end_independent();
  /// Makes transfers visible to the host once the command buffer is done.
  void make_visible_to_host();

 private:
  /// Kinds of accesses, as bits of a mask. Only kernels and transfers write.
  enum Kind : uint32_t { kernels = 1, uniforms = 2, indirect = 4, transfers = 8 };
  static constexpr size_t kinds = 4;

  /// Records the barrier that a command with accesses of these kinds needs, if any.
  void order(uint32_t readers);
  /// Notes that the command just recorded writes as `kind` does.
  void wrote(Kind kind);
  void barrier(uint32_t writers, uint32_t readers);
  void begin_dispatch(const Kernel& kernel, const Arguments& arguments, uint32_t readers);
  void bind(const Kernel& kernel, const Arguments& arguments);
  /// Records a dispatch for each part of `bytes`, unordered among themselves. `dispatch_of` makes one from the part's
  /// offset and size.
  template <typename DispatchOf>
  void dispatch_parts(const Kernel& kernel, uint64_t bytes, const DispatchOf& dispatch_of);

  Device& device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  DescriptorArena* descriptors_ = nullptr;
  VkPipeline bound_ = VK_NULL_HANDLE;
  std::shared_ptr<const Kernel> copy_, fill_;
  /// For each kind, the kinds of writes since accesses of that kind last waited for all writes.
  std::array<uint32_t, kinds> unordered_{};
  bool independent_ = false;  ///< Whether an independent scope is open.
  uint32_t scope_ = 0;        ///< Kinds of writes in that scope so far.
};

}  // namespace weft::vulkan
