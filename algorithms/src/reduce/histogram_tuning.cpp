#include "algorithms/src/reduce/histogram_tuning.h"

#include "algorithms/src/base/device_traits.h"

namespace weft::algorithms {

HistogramTuning default_histogram(const TuningQuery& query) {
  // On a CPU few lanes meet, and each copy is memory to clear and to add up. Subgroups run one after the other, so each
  // has consecutive samples.
  if (query.device.kind == DeviceKind::cpu) {
    // 16 samples: SwiftShader takes minutes to compile 32.
    const uint32_t bytes = 16 * std::min(4u, query.element_bytes);
    if (const uint32_t serial_bytes = default_serial_bytes(query.device)) {
      return {.tile = {.workgroup = 64, .bytes_per_invocation = bytes},
              .counting = {.shared_bytes = 32 * 1024, .shared_copies = 4, .groups = 8},
              .consecutive = 1,
              .serial_bytes = serial_bytes};
    }
    return {.tile = {.workgroup = 64, .bytes_per_invocation = bytes},
            .counting = {.shared_bytes = 8 * 1024, .shared_copies = query.device.limits.subgroup_size, .groups = 8},
            .consecutive = 1};
  }
  // Each sample of a load under way takes a register.
  HistogramTuning tuning{.tile = {.workgroup = 512, .bytes_per_invocation = query.element_bytes == 1 ? 32u : 64u},
                         .counting = {.shared_bytes = 32 * 1024,  // 32 copies of 256 bins.
                                      .shared_copies = 32,
                                      .groups = 1024}};
  if (is_large_nvidia(query.device)) {
    const bool many_of_16_bits = query.element_bytes == 2 && !are_few(query);
    if (many_of_16_bits) tuning.tile.workgroup = 1024;
    tuning.counting.shared_bytes = (many_of_16_bits ? 16 : 48) * 1024;
  }
  if (is_unbounded_nvidia(query.device)) {
    tuning.tile.workgroup = 1024;
    tuning.counting.shared_bytes = 16 * 1024;
    tuning.counting.groups = 264;  // Two for each multiprocessor of the largest.
  }
  return tuning;
}

}  // namespace weft::algorithms
