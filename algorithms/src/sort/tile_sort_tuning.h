#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Small tiles: a network's steps are paid for by barriers, and several workgroups hide one another's.
inline PlainTuning default_tile_sort(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 16}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_tile_sort{"tile_sort", default_tile_sort};

}  // namespace weft::algorithms
