#pragma once

#include <weft/device.h>

#include "bench/measure.h"

namespace weft::bench {

/// The cost of launching a kernel that does nothing: medians, in seconds.
struct LaunchCosts {
  double host = 0;     ///< Host time per launch, of many recorded and submitted back to back.
  double device = 0;   ///< Time per launch until all of these have completed.
  double latency = 0;  ///< Time from recording a single launch to the return of the wait for it.
};

LaunchCosts measure_launch(const Device& device, const MeasureOptions& options);

}  // namespace weft::bench
