#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

StagedTuning default_run_length(const TuningQuery& query);
inline constexpr TunedPrimitive<StagedTuning> tuned_run_length{"run_length", default_run_length};

PlainTuning default_run_length_decode(const TuningQuery& query);
inline constexpr TunedPrimitive<PlainTuning> tuned_run_length_decode{"run_length_decode", default_run_length_decode};

}  // namespace weft::algorithms
