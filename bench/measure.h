#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/benchmark.h"

namespace weft::bench {

struct MeasureOptions {
  double warm_up_seconds = 0.3;  ///< Back-to-back work right before the timed runs: an idle GPU lowers its clocks.
  double seconds = 0.5;          ///< How long to go on timing,
  uint32_t min_runs = 10;        ///< and at least how many runs.
};

/// Seconds that single runs took.
struct Timing {
  double median = 0, min = 0, max = 0;
  size_t runs = 0;
  bool device_clock = true;  ///< False where the device has no timestamps and the host's clock was used.
};

/// Times single runs of a case, each on the next set, without a pause between them.
Timing measure(const Device& device, const Case& benchmark_case, uint32_t sets, const MeasureOptions& options);

}  // namespace weft::bench
