#pragma once

#include <optional>
#include <span>
#include <string>

#include "bench/benchmark.h"
#include "bench/measure.h"
#include "bench/peer.h"
#include "bench/report/report.h"

namespace weft::bench {

struct RunOptions {
  const Peer* peer = nullptr;  ///< Runs the same work in turns with ours, if it has such a row.
  MeasureOptions measure;
  uint64_t seed = 1;
  Distribution distribution = Distribution::uniform;
  TableUse table{};
  std::span<const Box<3>> mesh{};  ///< As in Problem, for benchmarks that take one.
};

/// Prepares, verifies and times one case. If the device cannot hold or run it, the result says why it was skipped.
/// Throws std::runtime_error, naming the case, if its output is wrong.
Result run(const Benchmark& benchmark, const Device& device, support::ScalarType type, uint64_t count,
           const RunOptions& options);

/// Returns the number of copies of a case's arrays that outgrow the device's caches, limited by its memory.
uint32_t choose_sets(const Device& device, uint64_t set_bytes);

/// Why elements of 8 and 16 bits are skipped by a benchmark that takes no samples.
constexpr const char* no_samples = "this benchmark has no elements of 8 and 16 bits";

/// Runs all sets back to back, as when timed, and checks the first and the last. Says what is wrong, or returns
/// nothing.
std::optional<std::string> what_is_wrong(const Device& device, const Case& prepared, uint32_t sets);
/// Throws std::runtime_error, naming `what`, if something is wrong.
void verify(const Device& device, const Case& prepared, uint32_t sets, const std::string& what);

/// Measures how fast the device copies a large array, by the benchmark's kernel and by Recorder::copy().
CopyRates measure_copy(const Device& device, const RunOptions& options);

}  // namespace weft::bench
