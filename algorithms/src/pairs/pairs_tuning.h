#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct PairsTuning {
  TileTuning tile{};      ///< Of candidates, a word each.
  uint32_t groups = 512;  ///< The most workgroups that test candidates.
  uint32_t few = 1024;    ///< The most boxes for which BroadPhase::automatic is brute force.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("groups", values.groups, ValueRange{1, 65535});
    visit("few", values.few, ValueRange{0, 65536});
  }
};

/// A few candidates of each invocation, whose loads are under way together. Workgroups enough for a few on each
/// multiprocessor of the largest GPUs, while each of them can still add up what all others found. On CPUs a hierarchy
/// is faster from about 100 boxes on (lavapipe, host); on GPUs, where the number of dispatches decides, from about
/// 1,000 on, by what others report.
inline PairsTuning default_pairs(const TuningQuery& query) {
  const bool is_cpu = query.device.kind == DeviceKind::cpu;
  return {.tile = {.bytes_per_invocation = 16}, .groups = is_cpu ? 64u : 1024u, .few = is_cpu ? 100u : 1024u};
}
inline constexpr TunedPrimitive<PairsTuning> tuned_pairs{"pairs", default_pairs};

}  // namespace weft::algorithms
