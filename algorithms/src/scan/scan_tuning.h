#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct ScanTuning {
  TileTuning tile{};
  LookBackTuning look_back{};
  uint32_t serial_bytes = 0;

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    LookBackTuning::each(values.look_back, visit);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

ScanTuning default_scan(const TuningQuery& query);
inline constexpr TunedPrimitive<ScanTuning> tuned_scan{"scan", default_scan, CpuTiles::measured};

}  // namespace weft::algorithms
