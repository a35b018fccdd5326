#pragma once

#include "algorithms/src/base/device_traits.h"
#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct MapTuning {
  TileTuning tile{};
  uint32_t serial_bytes = 0;

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

/// Of inputs and output together: a few vectors under way in each invocation. Registers are few, so that many
/// invocations run at once.
inline MapTuning default_map(const TuningQuery& query) {
  return {.tile = {.bytes_per_invocation = 64}, .serial_bytes = default_serial_bytes(query.device)};
}
inline constexpr TunedPrimitive<MapTuning> tuned_map{"map", default_map};

}  // namespace weft::algorithms
