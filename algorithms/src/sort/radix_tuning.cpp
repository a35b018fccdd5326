#include "algorithms/src/sort/radix_tuning.h"

#include <algorithm>

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// What the passes of radix sorts have in common.
RadixTuning radix(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) {
    // At most 32 keys an invocation: more take a CPU's compiler long.
    const uint32_t bytes = std::min(64u, 32 * query.element_bytes);
    // Twice the usual tile, so that runs of one digit are long.
    return {.tile = {.workgroup = 256, .bytes_per_invocation = bytes},
            .counting = {.groups = 16},
            .serial_bytes = 2 * default_serial_bytes(query.device)};
  }
  RadixTuning tuning{.tile = {.workgroup = 512, .bytes_per_invocation = 64},
                     .staged_bytes = 64,
                     .counting = {.shared_bytes = 32 * 1024, .shared_copies = 32, .groups = 1056}};
  if (is_unbounded_nvidia(query.device)) {
    // Its compiler gives workgroups of 256 registers for three on a multiprocessor, and of 512 for one.
    tuning.tile = {.workgroup = 256, .bytes_per_invocation = 88};
    tuning.staged_bytes = 48;
    tuning.counting.groups = 264;
  }
  if (is_large_nvidia(query.device)) {
    // The most rows that need no spills on sm_90: the longer a tile's runs of one digit, the fewer parts of sectors are
    // written.
    tuning.tile.bytes_per_invocation = 88;
    tuning.staged_bytes = 160;  // All at once.
    tuning.match_by_atomics = 1;
    tuning.workgroups_per_multiprocessor = 2;
    tuning.counting.shared_bytes = 128 * 1024;
  }
  return tuning;
}

// Few keys take small tiles, so that more of the multiprocessors have one. `bytes` are those of the wider of key and
// value. Measured on an H100.
void fit_tiles_to_few(const TuningQuery& query, uint32_t bytes, RadixTuning& tuning) {
  constexpr uint64_t very_few = 1 << 18;
  if (query.device.kind == DeviceKind::cpu || !are_few(query)) return;
  tuning.tile = {.workgroup = 512, .bytes_per_invocation = 64};
  if (query.max_count <= very_few) tuning.tile = {.workgroup = 256, .bytes_per_invocation = 8 * bytes};
}

bool are_many_of_bytes(const TuningQuery& query, uint32_t bytes) {
  return query.element_bytes == bytes && !are_few(query) && query.max_count <= UINT32_MAX;
}

}  // namespace

RadixTuning default_sort(const TuningQuery& query) {
  RadixTuning tuning = radix(query);
  const bool are_wide = are_many_of_bytes(query, 8);
  if (is_unbounded_nvidia(query.device) && (are_wide || are_many_of_bytes(query, 4))) {
    // With 16 rows 384 invocations were faster than 256 and 512; with 32-bit values not.
    tuning.tile = {.workgroup = 384, .bytes_per_invocation = 16 * query.element_bytes};
  }
  if (is_large_nvidia(query.device) && are_wide) {
    tuning.tile.bytes_per_invocation = 120;
    tuning.staged_bytes = 64;
  }
  fit_tiles_to_few(query, std::max(query.element_bytes, 4u), tuning);
  return tuning;
}

RadixTuning default_sort_pairs(const TuningQuery& query) {
  RadixTuning tuning = radix(query);
  const bool are_wide = are_many_of_bytes(query, 8 + 4);
  if (is_unbounded_nvidia(query.device)) {
    tuning.tile.workgroup = are_wide ? 384 : 512;
    tuning.tile.bytes_per_invocation = are_wide ? 112 : 88;
    tuning.staged_bytes = are_wide ? 56 : 160;
    tuning.match_by_atomics = are_wide ? 0 : 1;
  }
  if (query.device.kind == DeviceKind::cpu) tuning.values_beside_keys = 1;
  if (is_large_nvidia(query.device)) {
    tuning.values_beside_keys = 1;  // It has memory for both.
    if (are_wide) tuning.tile.bytes_per_invocation = 120;
  }
  fit_tiles_to_few(query, query.element_bytes <= 8 ? 4 : 8, tuning);
  return tuning;
}

// As much as one multiprocessor does at once.
RadixTuning default_sort_one_tile(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) {
    return {.tile = {.workgroup = 64, .bytes_per_invocation = 64},
            .serial_bytes = default_serial_bytes(query.device) / 2};
  }
  return {.tile = {.workgroup = 1024, .bytes_per_invocation = 32}};
}

}  // namespace weft::algorithms
