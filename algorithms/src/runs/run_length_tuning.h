#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

/// The shape of a decoding's tiles.
struct DecodeTuning {
  TileTuning tile{};
  uint32_t serial_bytes = 0;

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

StagedTuning default_run_length(const TuningQuery& query);
inline constexpr TunedPrimitive<StagedTuning> tuned_run_length{"run_length", default_run_length};

DecodeTuning default_run_length_decode(const TuningQuery& query);
inline constexpr TunedPrimitive<DecodeTuning> tuned_run_length_decode{"run_length_decode", default_run_length_decode};

}  // namespace weft::algorithms
