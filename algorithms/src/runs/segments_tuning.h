#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

StagedTuning default_reduce_by_key(const TuningQuery& query);
StagedTuning default_scan_by_key(const TuningQuery& query);
StagedTuning default_segmented_reduce(const TuningQuery& query);
StagedTuning default_segmented_scan(const TuningQuery& query);

// By the bytes of keys and values together. Scans gather no rows, whatever staged_bytes.
inline constexpr TunedPrimitive<StagedTuning> tuned_reduce_by_key{"reduce_by_key", default_reduce_by_key},
    tuned_scan_by_key{"scan_by_key", default_scan_by_key};
inline constexpr TunedPrimitive<StagedTuning> tuned_segmented_reduce{"segmented_reduce", default_segmented_reduce},
    tuned_segmented_scan{"segmented_scan", default_segmented_scan};

}  // namespace weft::algorithms
