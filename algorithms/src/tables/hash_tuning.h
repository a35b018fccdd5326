#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct HashTuning {
  TileTuning tile{};
  uint32_t tries = 256;  ///< Of an insertion into a bidirectional table, before it is left to a later dispatch.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("tries", values.tries, ValueRange{1, 1 << 20});
  }
};

/// A few keys for each invocation: a search waits for memory, and searches of other invocations fill that time.
inline HashTuning default_hash(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 16}}; }
inline constexpr TunedPrimitive<HashTuning> tuned_hash{"hash", default_hash};

}  // namespace weft::algorithms
