#include "algorithms/src/runs/run_length_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {

StagedTuning default_run_length(const TuningQuery& query) {
  if (is_unbounded_nvidia(query.device)) {
    return {.tile = are_few(query) ? few_unbounded_tiles : TileTuning{.bytes_per_invocation = 128},
            .look_back = {.pause = 60},
            .staged_bytes = 16};
  }
  if (is_large_nvidia(query.device)) {
    // Kernels of one-word elements and 32-bit indices fit a third workgroup's registers without spills. The bytes are
    // those of heads; their indices take as many.
    return {.tile = {.bytes_per_invocation = 160},
            .look_back = {.workgroups_per_multiprocessor = are_short(query) ? 3u : 0u, .pause = 60},
            .staged_bytes = 80};
  }
  return {.tile = {.bytes_per_invocation = 192}, .serial_bytes = default_serial_bytes(query.device)};
}

// As for reductions: eight 16-byte loads under way, and fewer of elements narrower than a word.
DecodeTuning default_run_length_decode(const TuningQuery& query) {
  return {.tile = {.bytes_per_invocation = query.element_bytes < 4 ? 256u : 128u},
          .serial_bytes = default_serial_bytes(query.device)};
}

}  // namespace weft::algorithms
