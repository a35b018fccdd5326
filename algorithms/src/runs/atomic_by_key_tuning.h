#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Keys and values, a word of each for each element.
inline PlainTuning default_atomic_by_key(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 48}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_atomic_by_key{"atomic_by_key", default_atomic_by_key};

}  // namespace weft::algorithms
