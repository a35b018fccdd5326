#include "algorithms/src/select/selection_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// A kernel of one-word elements and 32-bit indices fits a third workgroup's registers without spills.
uint32_t three_if_short(const TuningQuery& query) { return are_short(query) ? 3 : 0; }

}  // namespace

StagedTuning default_selection(const TuningQuery& query) {
  if (query.device.kind == DeviceKind::cpu) {
    return {.tile = {.workgroup = 128, .bytes_per_invocation = 256},
            .staged_bytes = 256,
            .serial_bytes = default_serial_bytes(query.device)};
  }
  if (is_unbounded_nvidia(query.device)) {
    return {.tile = {.bytes_per_invocation = 128}, .look_back = {.pause = 180}, .staged_bytes = 32};
  }
  if (is_large_nvidia(query.device)) {
    // All elements are gathered at once, where there is memory enough.
    return {.tile = {.bytes_per_invocation = 160}, .look_back = {.pause = 130}, .staged_bytes = 160};
  }
  return {.tile = {.bytes_per_invocation = 192}};
}

StagedTuning default_compact(const TuningQuery& query) {
  StagedTuning tuning = default_selection(query);
  if (is_large_nvidia(query.device)) tuning.look_back.workgroups_per_multiprocessor = three_if_short(query);
  return tuning;
}

// Flags are as many loads under way again: smaller tiles, of which a multiprocessor runs more.
StagedTuning default_compact_by_byte_flags(const TuningQuery& query) {
  StagedTuning tuning = default_selection(query);
  if (is_large_nvidia(query.device) && are_short(query)) {
    tuning.tile.bytes_per_invocation = 96;
    tuning.look_back.workgroups_per_multiprocessor = 4;
    tuning.staged_bytes = 96;
  }
  return tuning;
}

// On is_unbounded_nvidia(), flags of 8 bits were slower with what is better for those of 32.
StagedTuning default_compact_by_flags(const TuningQuery& query) {
  StagedTuning tuning = default_compact_by_byte_flags(query);
  if (is_unbounded_nvidia(query.device)) {
    tuning.tile.bytes_per_invocation = 64;
    if (!are_few(query)) tuning.tile.workgroup = 512;
  }
  return tuning;
}

// Indices need no elements in registers once these are selected.
StagedTuning default_compact_indices(const TuningQuery& query) { return default_compact(query); }

// Both kinds of elements take registers. Some spill on sm_90, which costs less than a workgroup less or smaller tiles.
StagedTuning default_partition(const TuningQuery& query) {
  if (!is_large_nvidia(query.device)) return default_selection(query);
  return {.tile = {.bytes_per_invocation = 128},
          .look_back = {.workgroups_per_multiprocessor = are_short(query) ? 4u : 0u, .pause = 130},
          .staged_bytes = 128};
}

StagedTuning default_unique(const TuningQuery& query) {
  StagedTuning tuning = default_compact(query);
  if (is_large_nvidia(query.device)) tuning.look_back.pause = 60;
  return tuning;
}

}  // namespace weft::algorithms
