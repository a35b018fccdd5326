#include "algorithms/src/sort/merge_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {
namespace {

// Above, what tiles read to find their splits cost more than a dispatch for all of them, measured on an H200.
constexpr uint64_t few_to_merge = 1 << 22;

// An odd number of elements an invocation keeps neighbours off one another's banks: 17 words. Each doubling of the
// first runs saves a pass over memory. Merges of few elements spend their time on launches and searches for splits.
MergeTuning merge_tiles(const TuningQuery& query) {
  const uint32_t own_splits = query.max_count <= few_to_merge ? 1 : 0;
  // A CPU's compilers take long over the unrolled comparisons.
  if (query.device.kind == DeviceKind::cpu) {
    return {.tile = {.bytes_per_invocation = 28},
            .own_splits = own_splits,
            .serial_bytes = default_serial_bytes(query.device)};
  }
  MergeTuning tuning{.tile = {.bytes_per_invocation = query.element_bytes <= 4 ? 68u : 88u}, .own_splits = own_splits};
  if (is_unbounded_nvidia(query.device)) tuning.tile.workgroup = 64;
  if (is_large_nvidia(query.device) && query.element_bytes <= 8) {
    tuning.tile.workgroup = 128;
    // The most that need no spills: each waits at barriers often.
    tuning.workgroups_per_multiprocessor = query.max_count <= UINT32_MAX ? 8 : 6;
  }
  return tuning;
}

}  // namespace

// Words alone leave registers for 23 of them; few are better in more tiles.
MergeTuning default_merge_sort(const TuningQuery& query) {
  MergeTuning tuning = merge_tiles(query);
  const bool measured = is_large_nvidia(query.device) || is_unbounded_nvidia(query.device);
  if (measured && are_short(query) && !are_few(query)) tuning.tile.bytes_per_invocation = 92;
  return tuning;
}

MergeTuning default_merge(const TuningQuery& query) {
  MergeTuning tuning = default_merge_sort(query);
  if (is_unbounded_nvidia(query.device) && are_short(query) && !are_few(query)) {
    tuning.tile = {.workgroup = 128, .bytes_per_invocation = 60};
  }
  return tuning;
}

// On is_unbounded_nvidia(), fewer elements an invocation leave memory for first runs of twice as many invocations.
MergeTuning default_merge_sort_pairs(const TuningQuery& query) {
  MergeTuning tuning = merge_tiles(query);
  if (is_unbounded_nvidia(query.device) && query.element_bytes == 4) {
    tuning.tile = {.workgroup = 128, .bytes_per_invocation = 44};
  }
  return tuning;
}

// Segments take some registers more.
MergeTuning default_segmented_sort(const TuningQuery& query) {
  MergeTuning tuning = merge_tiles(query);
  tuning.serial_bytes = 0;
  if (tuning.workgroups_per_multiprocessor > 0) tuning.workgroups_per_multiprocessor = 6;
  if (is_unbounded_nvidia(query.device)) tuning.run_workgroup = 256;
  return tuning;
}

}  // namespace weft::algorithms
