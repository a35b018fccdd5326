#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct HistogramTuning {
  TileTuning tile{};
  CountingTuning counting{};
  uint32_t workgroups_per_multiprocessor = 0;  ///< KernelOptions::workgroups_per_multiprocessor.
  uint32_t consecutive = 0;                    ///< 1: WEFT_CONSECUTIVE of shaders/kernels/reduce/histogram.comp.
  uint32_t serial_bytes = 0;                   ///< Of a tile; without effect if bins do not fit into workgroup memory.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    CountingTuning::each(values.counting, visit);
    visit("resident_workgroups", values.workgroups_per_multiprocessor, residency);
    visit("consecutive", values.consecutive, no_or_yes);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

HistogramTuning default_histogram(const TuningQuery& query);
inline constexpr TunedPrimitive<HistogramTuning> tuned_histogram{"histogram", default_histogram};

}  // namespace weft::algorithms
