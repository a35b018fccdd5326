#include "bench/random_data.h"

#include <vector>

#include <weft/error.h>

namespace weft::bench {
namespace {

constexpr Distribution all_distributions[] = {
    Distribution::uniform, Distribution::sorted,     Distribution::reversed,  Distribution::constant, Distribution::few,
    Distribution::skewed,  Distribution::organ_pipe, Distribution::clustered, Distribution::one_huge};

// Number `index` of `count` evenly spread numbers, the first of which is 0.
uint64_t ascending(uint64_t index, uint64_t count) { return index * (UINT64_MAX / (count > 0 ? count : 1)); }

}  // namespace

const char* to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::uniform:
      return "uniform";
    case Distribution::sorted:
      return "sorted";
    case Distribution::reversed:
      return "reversed";
    case Distribution::constant:
      return "constant";
    case Distribution::few:
      return "few";
    case Distribution::skewed:
      return "skewed";
    case Distribution::organ_pipe:
      return "organ-pipe";
    case Distribution::clustered:
      return "clustered";
    case Distribution::one_huge:
      return "one-huge";
  }
  return "";
}

bool is_of_boxes(Distribution distribution) {
  return distribution == Distribution::clustered || distribution == Distribution::one_huge;
}

Distribution parse_distribution(const std::string& name) {
  std::string names;
  for (const Distribution distribution : all_distributions) {
    if (name == to_string(distribution)) return distribution;
    names += (names.empty() ? "" : ", ") + std::string(to_string(distribution));
  }
  throw Error(ErrorCode::invalid_argument, "there is no distribution '" + name + "'; the distributions are " + names);
}

uint64_t spread_bits(const RandomSource& source, uint64_t index) {
  const uint64_t random = random_bits(source.seed, index);
  constexpr uint64_t few = 16;
  switch (source.distribution) {
    case Distribution::uniform:
    case Distribution::clustered:
    case Distribution::one_huge:
      return random;
    case Distribution::sorted:
      return ascending(index, source.count);
    case Distribution::reversed:
      return ascending(source.count - 1 - index, source.count);
    case Distribution::constant:
      return random_bits(source.seed, 0);
    case Distribution::few:
      return random_bits(source.seed, random % few);
    case Distribution::skewed:
      return random >> random_bits(~source.seed, index) % 64;
    case Distribution::organ_pipe:
      return ascending(index < source.count / 2 ? 2 * index : 2 * (source.count - 1 - index), source.count);
  }
  return random;
}

}  // namespace weft::bench
