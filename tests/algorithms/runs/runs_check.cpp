#include "tests/algorithms/runs/runs_check.h"

namespace weft::test {

const char* name_of(Runs runs) {
  switch (runs) {
    case Runs::one:
      return "one run";
    case Runs::single:
      return "runs of one element";
    case Runs::short_ones:
      return "short runs";
    case Runs::long_ones:
      return "long runs";
    case Runs::skewed:
      return "runs of very different lengths";
  }
  return "";
}

std::vector<bool> random_heads(uint64_t count, Runs runs, std::mt19937_64& generator) {
  std::vector<bool> heads(count);
  uint64_t length = 1;
  for (uint64_t start = 0; start < count; start += length) {
    heads[start] = true;
    switch (runs) {
      case Runs::one:
        length = count;
        break;
      case Runs::single:
        length = 1;
        break;
      case Runs::short_ones:
        length = 1 + generator() % 15;
        break;
      case Runs::long_ones:
        length = 1 + generator() % 9000;
        break;
      case Runs::skewed:
        length = uint64_t(1) << generator() % 15;
        break;
    }
  }
  return heads;
}

std::vector<uint64_t> run_starts(const std::vector<bool>& heads, uint64_t count) {
  std::vector<uint64_t> starts;
  for (uint64_t i = 0; i < count; ++i) {
    if (heads[i]) starts.push_back(i);
  }
  starts.push_back(count);
  return starts;
}

std::string RunPlacement::text() const {
  return std::string(name_of(runs)) + ", input misaligned by " + std::to_string(input_misalignment) + ", output by " +
         std::to_string(output_misalignment) + (count_on_device ? ", count on the device" : "");
}

}  // namespace weft::test
