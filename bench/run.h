#pragma once

#include <optional>
#include <string>

#include "bench/benchmark.h"
#include "bench/measure.h"
#include "bench/peer.h"
#include "bench/report.h"

namespace weft::bench {

struct RunOptions {
  const Peer* peer = nullptr;  ///< Does the same work in turns with ours, where it has such a row.
  MeasureOptions measure;
  uint64_t seed = 1;
  Distribution distribution = Distribution::uniform;
};

/// Prepares, verifies and times one case. A case that the device cannot hold or run comes back as skipped, with the
/// reason; a wrong result throws std::runtime_error naming it.
Result run(const Benchmark& benchmark, const Device& device, tools::ScalarType type, uint64_t count,
           const RunOptions& options);

/// How many copies of a case's arrays outgrow the device's caches, as far as its memory goes.
uint32_t choose_sets(const Device& device, uint64_t set_bytes);

/// Why a benchmark that takes no samples is skipped for elements of 8 and 16 bits.
constexpr const char* no_samples = "this benchmark has no elements of 8 and 16 bits";

/// Runs all sets back to back, as they are when timed, and checks the first and the last: what is wrong, or nothing.
std::optional<std::string> what_is_wrong(const Device& device, const Case& prepared, uint32_t sets);
/// Throws std::runtime_error, with `what`, when something is.
void verify(const Device& device, const Case& prepared, uint32_t sets, const std::string& what);

/// How fast the device copies a large array, by a kernel of the benchmark and by Recorder::copy().
CopyRates measure_copy(const Device& device, const RunOptions& options);

}  // namespace weft::bench
