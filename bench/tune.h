#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/src/tuning_file.h"
#include "bench/measure.h"
#include "tools/support/scalar_type.h"

namespace weft::bench {

/// A primitive whose values can be searched, with the benchmark that measures it and the values that it reads.
struct Tunable {
  const char* primitive;
  const char* benchmark;
  std::span<uint32_t algorithms::Tuning::*const> values;
};
std::span<const Tunable> tunables();
/// Throws invalid_argument, with the names there are, for another.
const Tunable& find_tunable(const std::string& primitive);

struct TuneOptions {
  MeasureOptions measure{.warm_up_seconds = 0.05, .seconds = 0.1, .min_runs = 10};
  double budget_seconds = 60;  ///< Begins no other try after that.
  uint64_t seed = 1;
};

/// What a search found for one primitive, element size and count.
struct Tuned {
  algorithms::TuningEntry entry;
  Timing with_defaults, with_found;  ///< Measured in turns. The same where the values that come with Weft are best.
  size_t tried = 0;
};

/// Changes one value after the other as long as runs become shorter, from those that come with Weft on, and verifies
/// what it ends with. Sets the environment variable WEFT_TUNING meanwhile. Throws unsupported or out_of_memory when the
/// device cannot run it at all.
Tuned tune(const Tunable& tunable, const Device& device, tools::ScalarType type, uint64_t count,
           const TuneOptions& options);

}  // namespace weft::bench
