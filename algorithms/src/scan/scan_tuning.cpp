#include "algorithms/src/scan/scan_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {

ScanTuning default_scan(const TuningQuery& query) {
  // On a CPU, tiles are so large that looking back costs little, and their barriers are of few subgroups.
  if (query.device.kind == DeviceKind::cpu) {
    return {.tile = {.workgroup = 128, .bytes_per_invocation = 256},
            .serial_bytes = default_serial_bytes(query.device)};
  }
  // Twelve 16-byte loads under way in each invocation: about 48 KiB a workgroup. Wider elements also hold wider sums.
  ScanTuning tuning{.tile = {.bytes_per_invocation = query.element_bytes <= 8 ? 192u : 96u}};
  const bool of_words = query.element_bytes == 4 || query.element_bytes == 8;
  if (is_large_nvidia(query.device)) {
    tuning.look_back.pause = 200;
    if (of_words) {
      // Eleven loads leave registers for a third workgroup, but spill some of 8 bytes.
      tuning.tile.bytes_per_invocation = 176;
      tuning.look_back.workgroups_per_multiprocessor = 3;
    }
    // 2^20 elements are one tile for each multiprocessor of the largest GPUs.
    if (query.element_bytes == 8 && are_few(query) && query.max_count > 1u << 19) {
      tuning = {.tile = {.workgroup = 512, .bytes_per_invocation = 128}};
    }
  }
  if (is_unbounded_nvidia(query.device)) {
    tuning.look_back.pause = 60;
    if (of_words && are_few(query)) tuning.tile = few_unbounded_tiles;
  }
  return tuning;
}

}  // namespace weft::algorithms
