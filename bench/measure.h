#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/benchmark.h"

namespace weft::bench {

struct MeasureOptions {
  double warm_up_seconds = 0.3;  ///< Back-to-back work right before the timed runs: an idle GPU lowers its clocks.
  double seconds = 0.5;          ///< Least total time of the timed runs.
  uint32_t min_runs = 10;        ///< Least number of timed runs.
};

/// Times of single runs, in seconds.
struct Timing {
  double median = 0, min = 0, max = 0;
  size_t runs = 0;
  bool device_clock = true;  ///< False if the host's clock was used, because the device has no timestamps.
};

/// Repeated work, each run of which is timed separately.
class Runs {
 public:
  virtual ~Runs() = default;
  /// Submits `runs` runs behind the earlier submissions.
  virtual void submit(uint32_t runs) = 0;
  /// Waits for the oldest submission. Returns the seconds of each of its runs.
  virtual std::vector<double> finish() = 0;
  virtual bool device_clock() const { return true; }
};

/// Returns runs of a case, each on the next set. `benchmark_case` must outlive them.
std::unique_ptr<Runs> runs_of(const Device& device, const Case& benchmark_case, uint32_t sets);

/// Times each of `all`, without a pause between its runs. Several take turns on the same device, so that changes over
/// time, above all of its clocks, affect all of them.
std::vector<Timing> measure(const std::vector<Runs*>& all, const MeasureOptions& options);

}  // namespace weft::bench
