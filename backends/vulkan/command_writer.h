#pragma once

#include <array>

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/descriptors.h"
#include "core/src/runtime/backend.h"

namespace weft::vulkan {

/// Writes commands into a VkCommandBuffer that its caller begins and ends: a stream's batch, or the host's. Allocates
/// nothing but descriptor sets, submits nothing and waits for nothing.
///
/// A barrier before each command orders it after the previous ones. In an independent scope, barriers order commands
/// only after those before the scope. A barrier names only the kinds of accesses that occur on either side: if it names
/// all, a kernel after another kernel starts 2.5 us later on an NVIDIA H200.
class CommandWriter {
 public:
  explicit CommandWriter(Device& device) : device_(device) {}

  /// Records into `commands` from now on, with descriptor sets from `descriptors`. With `opening_barrier`, the
  /// first command waits for earlier command buffers.
  void begin(VkCommandBuffer commands, DescriptorArena& descriptors, bool opening_barrier = true);

  void dispatch(const Kernel& kernel, Groups groups, const backend::BoundArguments& arguments);
  void dispatch_indirect(const Kernel& kernel, const Region& groups, const backend::BoundArguments& arguments);
  /// Copies between buffers of the device.
  void copy(const Region& source, const Region& destination);
  /// To or from staging memory.
  void transfer(const BufferSlice& source, const BufferSlice& destination, uint64_t bytes);
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
  void begin_dispatch(const Kernel& kernel, const backend::BoundArguments& arguments, uint32_t readers);
  void bind(const Pipeline& pipeline, std::span<const std::byte> push_constants);
  /// Dispatches `dispatch_of(offset, size)` for each part of `bytes`, without barriers between the parts.
  template <typename DispatchOf>
  void dispatch_parts(const Pipeline& pipeline, uint64_t bytes, const DispatchOf& dispatch_of);

  Device& device_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  DescriptorArena* descriptors_ = nullptr;
  VkPipeline bound_ = VK_NULL_HANDLE;
  std::array<uint32_t, kinds> unordered_{};  ///< For each kind: kinds of the writes that it has not waited for.
  bool independent_ = false;                 ///< In an independent scope.
  uint32_t scope_ = 0;                       ///< Kinds of the writes in that scope so far.
};

}  // namespace weft::vulkan
