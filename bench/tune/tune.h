#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weft/device_info.h>

#include "algorithms/src/base/tuning.h"
#include "bench/benchmark.h"
#include "bench/measure.h"
#include "support/scalar_type.h"

namespace weft::bench {

/// A primitive's value, by name, and the numbers to try.
struct Choice {
  const char* value;
  std::span<const uint32_t> on_gpu, on_cpu;
};

/// A primitive that can be tuned, and the benchmark whose plans read its entries.
struct Tunable {
  const char* primitive = nullptr;
  Tuning::Values (*defaults)(const algorithms::TuningQuery& query) = nullptr;
  const char* benchmark = nullptr;
  std::span<const Choice> choices{};
  uint32_t beside_bytes = 0;  ///< Bytes of the key or value that comes with each element of the benchmark.
  uint64_t plan_count = 0;    ///< The count that plans choose values by, if it is not the number of elements.
  uint32_t count_factor = 1;  ///< The count that plans choose values by, for each element.
  uint64_t least_count = 0;   ///< Plans for fewer elements read another primitive's entries.
};
/// The table of tunables.cpp.
std::span<const Tunable> tunables();
/// Finds a tunable by its primitive's name, with - or _, or by its benchmark's name. Throws invalid_argument with all
/// names if there is none.
const Tunable& find_tunable(const std::string& name);

/// The entry that the plans of the tunable's benchmark read.
Tuning::Entry entry_of(const Tunable& tunable, const DeviceInfo& device, support::ScalarType type, uint64_t count,
                       const Tuning::Values& values);

struct TuneOptions {
  MeasureOptions measure{.warm_up_seconds = 0.05, .seconds = 0.1, .min_runs = 10};
  double budget_seconds = 60;  ///< No try starts after that.
  uint64_t seed = 1;
};

/// Result of a search for one primitive, element size and count.
struct Tuned {
  Tuning::Entry entry;
  Timing with_defaults, with_found;  ///< Measured in turns; the same if the defaults are best.
  size_t tried = 0;
  std::vector<std::string> refused;  ///< Tries that failed, and why.
};

/// Starts from the defaults and changes one value after another as long as runs become faster. Verifies each try before
/// timing it, and leaves out tries with wrong results and tries that the device cannot run. `benchmark` is the
/// tunable's. Throws unsupported for fewer than `least_count` elements, unsupported or out_of_memory if the device
/// cannot run the defaults, std::runtime_error if their results are wrong.
Tuned tune(const Tunable& tunable, const Benchmark& benchmark, const Device& device, support::ScalarType type,
           uint64_t count, const TuneOptions& options);

}  // namespace weft::bench
