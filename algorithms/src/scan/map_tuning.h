#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Of inputs and output together: a few vectors under way in each invocation. Registers are few, so that many
/// invocations run at once.
inline PlainTuning default_map(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 64}}; }
inline constexpr TunedPrimitive<PlainTuning> tuned_map{"map", default_map};

}  // namespace weft::algorithms
