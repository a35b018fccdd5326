#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct PairsTuning {
  TileTuning tile{};      ///< Of candidates, a word each.
  uint32_t groups = 512;  ///< The most workgroups that test candidates.
  uint32_t few = 1024;    ///< The most boxes for which BroadPhase::automatic is brute force,
  uint32_t grid = 32768;  ///< and above that a uniform grid.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("groups", values.groups, ValueRange{1, 65535});
    visit("few", values.few, ValueRange{0, 65536});
    visit("grid", values.grid, ValueRange{0, 1 << 29});
  }
};

/// A few candidates of each invocation, whose loads are under way together. Workgroups enough for a few on each
/// multiprocessor of the largest GPUs, while each of them can still add up what all others found.
///
/// On CPUs a hierarchy is faster than brute force for 256 boxes, not for 128, and faster than a grid for any number
/// (lavapipe). On GPUs, where the number of dispatches decides, brute force is faster up to about 1,000, by what others
/// report. For 12,486 boxes a grid takes 134 us on an H100, a hierarchy 273 us. But large boxes make all boxes
/// candidates of a grid, so it is not chosen where these could be more than 2^29.
inline PairsTuning default_pairs(const TuningQuery& query) {
  PairsTuning values{.tile = {.bytes_per_invocation = 16}, .groups = 1024};
  if (query.device.kind == DeviceKind::cpu) {
    values.groups = 64;
    values.few = 128;
    values.grid = 0;
  }
  return values;
}
inline constexpr TunedPrimitive<PairsTuning> tuned_pairs{"pairs", default_pairs};

}  // namespace weft::algorithms
