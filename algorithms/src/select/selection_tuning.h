#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// Defaults of whatever selects elements one by one, with the values that were best for Split. The others differ from
/// it where something else was measured to be better.
StagedTuning default_selection(const TuningQuery& query);
StagedTuning default_compact(const TuningQuery& query);
StagedTuning default_compact_by_byte_flags(const TuningQuery& query);
StagedTuning default_compact_by_flags(const TuningQuery& query);
StagedTuning default_compact_indices(const TuningQuery& query);
StagedTuning default_partition(const TuningQuery& query);
StagedTuning default_unique(const TuningQuery& query);

inline constexpr TunedPrimitive<StagedTuning> tuned_compact{"compact", default_compact, CpuTiles::measured},
    tuned_compact_by_byte_flags{"compact_by_byte_flags", default_compact_by_byte_flags, CpuTiles::measured},
    tuned_compact_by_flags{"compact_by_flags", default_compact_by_flags, CpuTiles::measured},
    tuned_compact_indices{"compact_indices", default_compact_indices, CpuTiles::measured},
    tuned_partition{"partition", default_partition, CpuTiles::measured},
    tuned_unique{"unique", default_unique, CpuTiles::measured};
/// Whose whole tile is in workgroup memory, whatever staged_bytes.
inline constexpr TunedPrimitive<StagedTuning> tuned_split{"split", default_selection};

}  // namespace weft::algorithms
