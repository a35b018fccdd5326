#pragma once

#include "backends/vulkan/buffer.h"
#include "backends/vulkan/buffer_allocator.h"
#include "backends/vulkan/device.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::vulkan {

/// Mapped memory, and the submission that used it last.
class StagingSlot final : public core::StagingSlot {
 public:
  /// Takes ownership of `allocation`.
  StagingSlot(Device& device, const Allocation& allocation)
      : core::StagingSlot(allocation.mapped, allocation.bytes), device_(device), allocation_(allocation) {}
  ~StagingSlot() override { device_.buffer_allocator().release(device_, allocation_); }

  BufferSlice at(uint64_t offset) const { return {allocation_.buffer, allocation_.offset + offset}; }

  uint64_t busy_until = 0;  ///< A value of the stream's timeline.

 private:
  Device& device_;
  const Allocation allocation_;
};

}  // namespace weft::vulkan
