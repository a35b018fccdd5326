#pragma once

#include <weft/device.h>

#include "bench/measure.h"

namespace weft::bench {

/// What launching a kernel costs when the kernel itself does nothing; medians, in seconds.
struct LaunchCosts {
  double host = 0;     ///< Of the host's time for one of many that are recorded and submitted back to back.
  double device = 0;   ///< For one of these until all are done.
  double latency = 0;  ///< From recording a single one to the return of the wait for it.
};

LaunchCosts measure_launch(const Device& device, const MeasureOptions& options);

}  // namespace weft::bench
