#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct HashTuning {
  TileTuning tile{};

  static void each(auto& values, const auto& visit) { TileTuning::each(values.tile, visit); }
};

/// A few keys for each invocation: a search waits for memory, and searches of other invocations fill that time. Counts
/// are capacities.
inline HashTuning default_hash(const TuningQuery&) { return {.tile = {.bytes_per_invocation = 16}}; }
inline constexpr TunedPrimitive<HashTuning> tuned_hash{"hash", default_hash};
inline constexpr TunedPrimitive<HashTuning> tuned_hash_find{"hash_find", default_hash};

/// Insertions into bidirectional tables.
struct BidirectionalTuning {
  TileTuning tile{};
  uint32_t tries = 256;        ///< Before a key is left to a later dispatch.
  uint32_t slots_per_key = 8;  ///< Keys for which the table has more slots are inserted one by one.

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    visit("tries", values.tries, ValueRange{1, 1 << 20});
    visit("slots_per_key", values.slots_per_key, ValueRange{1, 1 << 20});
  }
};

/// On CPUs locks cost little beside sorting, up to the highest loads.
inline BidirectionalTuning default_hash_bidirectional(const TuningQuery& query) {
  return {.tile = {.bytes_per_invocation = 16}, .slots_per_key = query.device.kind == DeviceKind::cpu ? 1u : 8u};
}
inline constexpr TunedPrimitive<BidirectionalTuning> tuned_hash_bidirectional{"hash_bidirectional",
                                                                              default_hash_bidirectional};

}  // namespace weft::algorithms
