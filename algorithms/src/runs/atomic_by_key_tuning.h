#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct AtomicByKeyTuning {
  TileTuning tile{};
  uint32_t misses = 2;  ///< Of weft/subgroup/peers.glsl, for scattered keys.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("misses", values.misses, ValueRange{1, 128});
  }
};

/// Keys and values, a word of each for each element.
inline AtomicByKeyTuning default_atomic_by_key(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 48}}; }
inline constexpr TunedPrimitive<AtomicByKeyTuning> tuned_atomic_by_key{"atomic_by_key", default_atomic_by_key};
/// With Options::scattered_keys.
inline constexpr TunedPrimitive<AtomicByKeyTuning> tuned_atomic_by_scattered_key{"atomic_by_scattered_key",
                                                                                 default_atomic_by_key};

}  // namespace weft::algorithms
