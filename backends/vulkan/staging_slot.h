#pragma once

#include "backends/vulkan/device.h"
#include "backends/vulkan/memory.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::vulkan {

/// Mapped memory, and the submission that used it last.
class StagingSlot final : public core::StagingSlot {
 public:
  /// Takes `allocation` over.
  StagingSlot(const Device& device, const Allocation& allocation)
      : core::StagingSlot(allocation.mapped), device_(device), allocation_(allocation) {}
  ~StagingSlot() override { release(device_, allocation_); }

  VkBuffer buffer() const { return allocation_.buffer; }

  uint64_t busy_until = 0;  ///< A value of the stream's timeline.

 private:
  const Device& device_;
  const Allocation allocation_;
};

}  // namespace weft::vulkan
