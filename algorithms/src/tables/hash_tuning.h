#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// A few keys for each invocation: a search waits for memory, and searches of other invocations fill that time.
inline PlainTuning default_hash(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 16}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_hash{"hash", default_hash};

}  // namespace weft::algorithms
