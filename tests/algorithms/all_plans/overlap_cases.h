#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/stream.h>

/// Plans with all their arguments, for tests of which arguments may overlap, and of counts.
namespace weft::test {

/// Arguments by name, in 32-bit words.
using Words = std::vector<uint32_t>;
using Contents = std::map<std::string, Words>;
using Regions = std::map<std::string, Region>;

/// How an argument that is read is filled. Of two that overlap, the later kind wins: earlier kinds take any contents.
enum class Fill {
  nothing,   ///< Written by the plan.
  number,    ///< A count.
  any,       ///< Random, below 100.
  few,       ///< Random, 0 to 2.
  distinct,  ///< In random order.
  ordered,   ///< Ascending, with repeats.
  steps,     ///< Ascending by steps.
  leaves,    ///< References to leaves of a tree, with random indices below 100.
  nans,      ///< As floats, NaNs: boxes that nothing overlaps.
};

struct OverlapArgument {
  std::string name;
  Fill fill = Fill::nothing;
  uint64_t words = 0;
  uint64_t number = 0;  ///< For Fill::number, or the step of Fill::steps.
  uint32_t counts = 0;  ///< Counts that the argument holds. They have 32 bits if there are as many words, else 64.
  uint64_t most = 0;    ///< For Fill::number: what a larger count is taken as.

  uint64_t words_of_count() const { return words / counts; }
};

/// The argument's words before the plan runs.
Words filled(const OverlapArgument& argument, std::mt19937_64& generator);

struct OverlapCase {
  std::string plan;  ///< Its name in argument_rules.cpp.
  std::string variant;
  std::vector<OverlapArgument> arguments;  ///< All but temporary storage.
  uint64_t temporary_bytes = 0;
  std::function<void(Recorder& recorder, const Regions& at)> record;
  /// Computes the plan's result on the host. `after` starts as the contents before. Empty if no arguments may overlap.
  std::function<void(const Contents& before, Contents& after)> compute;
  /// Arguments whose first words, as many as another argument's count says, are in any order.
  struct Unordered {
    std::string name, number;
    uint64_t index = 0;  ///< Of the count.
  };
  std::vector<Unordered> unordered = {};
};

using Cases = std::vector<OverlapCase>;
Cases overlap_cases(const Device& device);

}  // namespace weft::test
