#pragma once

#include "backends/cuda_hip/device.h"
#include "backends/cuda_hip/mark.h"
#include "core/src/runtime/staged_stream.h"

namespace weft::cuda_hip {

/// Pinned host memory, and the last copy that used it. Its constructor needs the context to be current.
class StagingSlot final : public core::StagingSlot {
 public:
  StagingSlot(Device& device, uint64_t bytes)
      : core::StagingSlot(device.api().allocate_pinned(bytes), bytes),
        last_use(device.setup().api, device.setup().context, false),
        device_(device) {}
  ~StagingSlot() override {
    device_.clean_up([&] { device_.api().release_pinned(data()); });
  }

  Mark last_use;

 private:
  Device& device_;
};

}  // namespace weft::cuda_hip
