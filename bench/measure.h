#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

/// Work that is run again and again, each run timed by itself.
class Runs {
 public:
  virtual ~Runs() = default;
  /// Puts so many runs behind those that were submitted before.
  virtual void submit(uint32_t runs) = 0;
  /// Waits for the oldest submission; the seconds of each of its runs.
  virtual std::vector<double> finish() = 0;
  virtual bool device_clock() const { return true; }
};

/// Runs of a case, each on the next set. `benchmark_case` stays alive as long.
std::unique_ptr<Runs> runs_of(const Device& device, const Case& benchmark_case, uint32_t sets);

/// Times each of them, without a pause between its runs. Several take turns on the same device, so that what changes
/// with time, its clocks above all, changes for all of them.
std::vector<Timing> measure(const std::vector<Runs*>& all, const MeasureOptions& options);

}  // namespace weft::bench
