#pragma once

#include <functional>
#include <string>

#include "bench/benchmark.h"
#include "bench/measure.h"
#include "bench/report.h"

namespace weft::bench {

struct RunOptions {
  MeasureOptions measure;
  uint64_t seed = 1;
};

/// Prepares, verifies and times one case. A case that the device cannot hold or run comes back as skipped, with the
/// reason; a wrong result throws std::runtime_error naming it.
Result run(const Benchmark& benchmark, const Device& device, tools::ScalarType type, uint64_t count,
           const RunOptions& options);

/// How fast the device copies a large array, by a kernel and by the device interface's buffer copy.
CopyRates measure_copy(const Device& device, const RunOptions& options);

}  // namespace weft::bench
