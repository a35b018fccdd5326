#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weft/device_info.h>

#include "algorithms/src/base/tuning_file.h"
#include "bench/benchmark.h"
#include "bench/measure.h"
#include "tools/support/scalar_type.h"

namespace weft::bench {

/// One of Tuning's values and the numbers that it is tried at.
struct Choice {
  uint32_t algorithms::Tuning::*value;
  std::span<const uint32_t> on_gpu, on_cpu;
};

/// A primitive whose values can be searched, with the benchmark that measures it and the values that it reads.
struct Tunable {
  const char* primitive;  ///< As tuning_defaults.cpp calls it.
  const char* benchmark;
  std::span<const Choice> choices;
  uint32_t beside_bytes = 0;  ///< Of what belongs to each of the benchmark's elements: a key, or a value.
  uint64_t plan_count = 0;    ///< What its plans choose values by, where that is not the number of elements.
  uint64_t least_count = 0;   ///< With fewer elements its plans read another primitive's values.
};
/// All of them: tunables.cpp.
std::span<const Tunable> tunables();
/// By the primitive's name, which may have - for _, or by its benchmark's. Throws invalid_argument, with the names
/// there are, for another.
const Tunable& find_tunable(const std::string& name);

/// The line of the tuning file that the plans of the tunable's benchmark read.
algorithms::TuningEntry entry_of(const Tunable& tunable, const DeviceInfo& device, tools::ScalarType type,
                                 uint64_t count, const algorithms::Tuning& tuning);

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
  std::vector<std::string> refused;  ///< What was tried and cannot be stored, and why.
};

/// Changes one value after the other as long as runs become shorter, from those that come with Weft on. Each try is
/// verified before it is timed; one that is wrong, or that the device cannot run, is left out. Sets the environment
/// variable WEFT_TUNING meanwhile. `benchmark` is the tunable's. Throws unsupported for fewer than `least_count`
/// elements, unsupported or out_of_memory when the device cannot run it at all, std::runtime_error when the values that
/// come with Weft give wrong results.
Tuned tune(const Tunable& tunable, const Benchmark& benchmark, const Device& device, tools::ScalarType type,
           uint64_t count, const TuneOptions& options);

}  // namespace weft::bench
