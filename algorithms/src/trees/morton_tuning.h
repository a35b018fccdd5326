#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// As for a map: of points and codes together, a few vectors under way in each invocation.
inline PlainTuning default_morton(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 64}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_morton{"morton", default_morton};

}  // namespace weft::algorithms
