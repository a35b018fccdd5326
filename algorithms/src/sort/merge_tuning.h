#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct MergeTuning {
  TileTuning tile{};
  uint32_t workgroups_per_multiprocessor = 0;  ///< KernelOptions::workgroups_per_multiprocessor.
  uint32_t own_splits = 0;       ///< 1: WEFT_OWN_SPLITS of shaders/kernels/sort/merge_tiles.comp, a dispatch less.
  uint32_t run_workgroup = 512;  ///< Of a sort: invocations that sort each of the first runs.
  uint32_t serial_bytes = 0;     ///< Of a tile and of a first run; without effect on segmented sorts.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("resident_workgroups", values.workgroups_per_multiprocessor, residency);
    visit("own_splits", values.own_splits, no_or_yes);
    visit("run_workgroup", values.run_workgroup, ValueRange{64, 1024});
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

MergeTuning default_merge(const TuningQuery& query);
MergeTuning default_merge_sort(const TuningQuery& query);
MergeTuning default_merge_sort_pairs(const TuningQuery& query);
MergeTuning default_segmented_sort(const TuningQuery& query);

inline constexpr TunedPrimitive<MergeTuning> tuned_merge{"merge", default_merge},
    tuned_merge_sort{"merge_sort", default_merge_sort}, tuned_segmented_sort{"segmented_sort", default_segmented_sort};
/// Also of merges with values.
inline constexpr TunedPrimitive<MergeTuning> tuned_merge_sort_pairs{"merge_sort_pairs", default_merge_sort_pairs};

}  // namespace weft::algorithms
