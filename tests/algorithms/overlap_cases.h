#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/stream.h>

/// Plans with all arguments that they can have, for tests of which arguments may share memory.
namespace weft::test {

/// Arguments by their names, in words of 32 bits.
using Words = std::vector<uint32_t>;
using Contents = std::map<std::string, Words>;
using Regions = std::map<std::string, Region>;

/// How an argument that is read is filled. Where two share memory, the later kind here wins: any contents are good for
/// the kinds before it.
enum class Fill {
  nothing,   ///< Written by the plan.
  number,    ///< One 64-bit word.
  any,       ///< Random, below 100.
  few,       ///< Random, 0 to 2.
  distinct,  ///< In random order.
  ordered,   ///< Ascending, each step some times.
  steps,     ///< Ascending by steps.
};

struct OverlapArgument {
  std::string name;
  Fill fill = Fill::nothing;
  uint64_t words = 0;
  uint32_t number = 0;  ///< Of Fill::number, and the steps of Fill::steps.
};

struct OverlapCase {
  std::string plan;  ///< As argument_rules.cpp has it.
  std::string variant;
  std::vector<OverlapArgument> arguments;  ///< But for temporary storage.
  uint64_t temporary_bytes = 0;
  std::function<void(Stream& stream, const Regions& at)> record;
  /// What the plan makes of these contents, computed here: `after` holds the contents before to begin with.
  std::function<void(const Contents& before, Contents& after)> compute;
  /// Arguments in which the first words, as many as a word of another one says, come in no order.
  struct Unordered {
    std::string name, number;
    size_t word = 0;
  };
  std::vector<Unordered> unordered = {};
};

using Cases = std::vector<OverlapCase>;
Cases overlap_cases(const Device& device);

}  // namespace weft::test
