#pragma once

#include <cstdint>

#include <weft/device_info.h>

namespace weft::algorithms {

/// What of a single-pass kernel is fitted to the device and the element, by measurement (docs/performance.md). Any
/// values give right results.
struct Tuning {
  uint32_t bytes_per_invocation = 0;  ///< Of elements, about.
  uint32_t resident_workgroups = 0;   ///< KernelOptions::resident_workgroups.
  uint32_t look_back_pause = 0;       ///< WEFT_LOOK_BACK_PAUSE of shaders/device/look_back.glsl.
};

Tuning scan_tuning(const DeviceInfo& device, uint32_t element_words);
Tuning compact_tuning(const DeviceInfo& device, uint32_t element_words, bool by_flags);

}  // namespace weft::algorithms
