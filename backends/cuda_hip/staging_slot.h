#pragma once

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/mark.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::cuda_hip {

/// Pinned host memory, and the last copy that used it. Its constructor needs the context to be current.
class StagingSlot final : public core::StagingSlot {
 public:
  StagingSlot(const Device& device, uint64_t bytes) : StagingSlot(std::make_unique<Pinned>(device, bytes), bytes) {}

  Mark last_use;

 private:
  struct Pinned {
    Pinned(const Device& owner, uint64_t bytes) : device(owner), data(owner.api().allocate_pinned(bytes)) {}
    ~Pinned() {
      device.clean_up([&] { device.api().release_pinned(data); });
    }
    Pinned(const Pinned&) = delete;

    const Device& device;
    std::byte* const data;
  };

  StagingSlot(std::unique_ptr<Pinned> pinned, uint64_t bytes)
      : core::StagingSlot(pinned->data, bytes),
        last_use(pinned->device.setup().api, pinned->device.setup().context, false),
        pinned_(std::move(pinned)) {}

  const std::unique_ptr<Pinned> pinned_;
};

}  // namespace weft::cuda_hip
