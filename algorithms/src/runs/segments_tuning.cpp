#include "algorithms/src/runs/segments_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// Of keys and values together; the sums of the latter take registers as well.
StagedTuning by_key(const TuningQuery& query) {
  constexpr LookBackTuning pausing{.pause = 60};
  if (is_unbounded_nvidia(query.device)) {
    return {.tile = {.bytes_per_invocation = 160}, .look_back = pausing, .staged_bytes = 16};
  }
  if (is_large_nvidia(query.device)) {
    return {.tile = {.bytes_per_invocation = 160}, .look_back = pausing, .staged_bytes = 160};
  }
  return {.tile = {.bytes_per_invocation = 128}, .serial_bytes = default_serial_bytes(query.device)};
}

}  // namespace

StagedTuning default_reduce_by_key(const TuningQuery& query) {
  StagedTuning tuning = by_key(query);
  if (is_unbounded_nvidia(query.device) && are_few(query)) tuning.tile = few_unbounded_tiles;
  return tuning;
}

// All sums of a tile are kept, not just those of whole segments.
StagedTuning default_scan_by_key(const TuningQuery& query) {
  StagedTuning tuning = by_key(query);
  if (is_unbounded_nvidia(query.device)) {
    tuning.tile = {.workgroup = 512, .bytes_per_invocation = 128};
    tuning.look_back.pause = 120;
  }
  return tuning;
}

// Of values alone.
StagedTuning default_segmented_reduce(const TuningQuery& query) {
  StagedTuning tuning = by_key(query);
  if (is_unbounded_nvidia(query.device)) tuning.tile.bytes_per_invocation = 128;
  if (is_large_nvidia(query.device) && are_short(query)) {
    tuning.tile.bytes_per_invocation = 96;
    tuning.look_back.workgroups_per_multiprocessor = 4;
    tuning.staged_bytes = 48;
  }
  return tuning;
}

StagedTuning default_segmented_scan(const TuningQuery& query) {
  StagedTuning tuning = by_key(query);
  tuning.tile.bytes_per_invocation = 128;
  return tuning;
}

}  // namespace weft::algorithms
