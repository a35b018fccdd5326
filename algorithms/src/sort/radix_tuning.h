#pragma once

#include "algorithms/src/base/tuning.h"

namespace weft::algorithms {

struct RadixTuning {
  TileTuning tile{};
  uint32_t staged_bytes = 64;                  ///< Of an invocation's elements that are in workgroup memory at once.
  uint32_t workgroups_per_multiprocessor = 0;  ///< KernelOptions::workgroups_per_multiprocessor, of the passes.
  CountingTuning counting{};
  uint32_t match_by_atomics = 0;    ///< 1: WEFT_MATCH_ATOMIC of shaders/workgroup/rank_digits.glsl.
  uint32_t values_beside_keys = 0;  ///< 1: WEFT_VALUES_BESIDE_KEYS of shaders/kernels/sort/radix_tile.glsl.
  /// Of a tile's keys and values together; in a sort of one tile of its keys. Without effect on passes that do not look
  /// back.
  uint32_t serial_bytes = 0;
  /// From 2 to the power of this many keys on, passes that would move no key are left out: finding them takes time too.
  uint32_t leaves_out_from = 22;

  static void each(auto& values, const auto& visit) {
    visit("workgroup", values.tile.workgroup,
          ValueRange{64, 1024, "a power of two, 384 or 768",
                     [](uint32_t value) { return std::has_single_bit(value) || value == 384 || value == 768; }});
    visit("bytes_per_invocation", values.tile.bytes_per_invocation, tile_bytes);
    visit("staged_bytes", values.staged_bytes, tile_bytes);
    visit("resident_workgroups", values.workgroups_per_multiprocessor, residency);
    CountingTuning::each(values.counting, visit);
    visit("match_by_atomics", values.match_by_atomics, no_or_yes);
    visit("values_beside_keys", values.values_beside_keys, no_or_yes);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
    visit("leaves_out_from", values.leaves_out_from, ValueRange{0, 40});
  }
};

RadixTuning default_sort(const TuningQuery& query);
RadixTuning default_sort_pairs(const TuningQuery& query);
RadixTuning default_sort_one_tile(const TuningQuery& query);

inline constexpr TunedPrimitive<RadixTuning> tuned_sort{"sort", default_sort};
/// By the bytes of keys and values together.
inline constexpr TunedPrimitive<RadixTuning> tuned_sort_pairs{"sort_pairs", default_sort_pairs};
/// By the bytes of keys.
inline constexpr TunedPrimitive<RadixTuning> tuned_sort_one_tile{"sort_one_tile", default_sort_one_tile};

}  // namespace weft::algorithms
