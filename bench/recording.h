#pragma once

#include <optional>

#include <weft/device.h>

#include "bench/measure.h"

namespace weft::bench {

/// Host time to record a sort of 2^20 u32 keys, all its dispatches: medians, in seconds.
struct RecordCosts {
  double stream = 0;          ///< Into a stream's open batch.
  double command_buffer = 0;  ///< Into a VkCommandBuffer that has begun, by a vulkan::Recording of its own.

  double ratio() const { return command_buffer / stream; }
};

/// Measures both in turns. Returns nothing for devices of other backends than vulkan.
std::optional<RecordCosts> measure_recording(const Device& device, const MeasureOptions& options);

}  // namespace weft::bench
