#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Defaults of whatever selects elements one by one, with the values that were best for Split. The others differ from
/// it where something else was measured to be better.
StagedTuning default_selection(const TuningQuery& query);
StagedTuning default_compact(const TuningQuery& query);
StagedTuning default_compact_by_byte_flags(const TuningQuery& query);
StagedTuning default_compact_by_flags(const TuningQuery& query);
StagedTuning default_partition(const TuningQuery& query);
StagedTuning default_unique(const TuningQuery& query);

inline constexpr TunedPrimitive<StagedTuning> tuned_compact{"compact", default_compact},
    tuned_compact_by_byte_flags{"compact_by_byte_flags", default_compact_by_byte_flags},
    tuned_compact_by_flags{"compact_by_flags", default_compact_by_flags},
    tuned_partition{"partition", default_partition}, tuned_unique{"unique", default_unique};
/// Whose whole tile is in workgroup memory, whatever staged_bytes.
inline constexpr TunedPrimitive<StagedTuning> tuned_split{"split", default_selection};

}  // namespace weft::algorithms
