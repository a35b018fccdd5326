#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct HashTuning {
  TileTuning tile{};
  uint32_t tries = 256;        ///< Of an insertion into a bidirectional table, before it is left to a later dispatch.
  uint32_t slots_per_key = 8;  ///< Keys for which a bidirectional table has more slots are inserted one by one.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("tries", values.tries, ValueRange{1, 1 << 20});
    visit("slots_per_key", values.slots_per_key, ValueRange{1, 1 << 20});
  }
};

/// A few keys for each invocation: a search waits for memory, and searches of other invocations fill that time. On CPUs
/// locks cost little beside sorting, up to the highest loads.
inline HashTuning default_hash(const TuningQuery& query) {
  return {.tile = {.bytes_per_invocation = 16}, .slots_per_key = query.device.kind == DeviceKind::cpu ? 1u : 8u};
}
inline constexpr TunedPrimitive<HashTuning> tuned_hash{"hash", default_hash};

}  // namespace weft::algorithms
