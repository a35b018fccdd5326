#pragma once

#include "backends/vulkan/buffer.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::vulkan {

/// Mapped memory, and the submission that used it last.
class StagingSlot final : public core::StagingSlot {
 public:
  explicit StagingSlot(std::unique_ptr<OwnedMemory> memory)
      : core::StagingSlot(memory->allocation().mapped, memory->allocation().bytes), memory_(std::move(memory)) {}

  BufferSlice at(uint64_t offset) const {
    return {memory_->allocation().buffer, memory_->allocation().offset + offset};
  }

  uint64_t busy_until = 0;  ///< A value of the stream's timeline.

 private:
  const std::unique_ptr<OwnedMemory> memory_;
};

}  // namespace weft::vulkan
