#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace weft::bench {

/// The distribution of a benchmark's elements.
enum class Distribution {
  uniform,
  sorted,      ///< Evenly from the smallest to the largest value.
  reversed,    ///< Evenly from the largest to the smallest value.
  constant,    ///< One random value.
  few,         ///< 16 random values.
  skewed,      ///< Shifted right by a random number of bits: half of 32-bit elements are 0, the others mostly small.
  organ_pipe,  ///< Ascending to the largest value in the middle, then descending.
  clustered,   ///< Of boxes alone (arrange_boxes()): in a few clusters.
  one_huge,    ///< Of boxes alone: one is around all others.
};
const char* to_string(Distribution distribution);
bool is_of_boxes(Distribution distribution);
/// Parses a name. Throws invalid_argument, listing the names.
Distribution parse_distribution(const std::string& name);

/// The source of random_element(); a number alone is the seed of uniform data.
struct RandomSource {
  uint64_t seed = 0;
  Distribution distribution = Distribution::uniform;
  uint64_t count = 0;  ///< Total number of elements.

  RandomSource(uint64_t seed_of_uniform = 0) : seed(seed_of_uniform) {}
  RandomSource(uint64_t its_seed, Distribution its_distribution, uint64_t its_count)
      : seed(its_seed), distribution(its_distribution), count(its_count) {}
  operator uint64_t() const { return seed; }
};

/// Returns 64 random bits, a function of the seed and the index (SplitMix64).
inline uint64_t random_bits(uint64_t seed, uint64_t index) {
  uint64_t z = (seed + index) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// Returns the bits of element `index` of a distribution other than uniform, in the order of unsigned numbers.
uint64_t spread_bits(const RandomSource& source, uint64_t index);

/// Converts 64 bits to an element: any bits for integers, [0, 1) for floating point. Preserves the order of unsigned
/// integers.
template <typename T>
T element_of_bits(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return float(bits >> 40) * 0x1p-24f;
  if constexpr (std::is_same_v<T, double>) return double(bits >> 11) * 0x1p-53;
  return T(bits >> (64 - 8 * sizeof(T)));
}

/// Returns element `index` of random data, so that data of any size can be checked without being stored.
template <typename T>
T random_element(uint64_t seed, uint64_t index) {
  return element_of_bits<T>(random_bits(seed, index));
}
template <typename T>
T random_element(const RandomSource& source, uint64_t index) {
  if (source.distribution == Distribution::uniform) return random_element<T>(source.seed, index);
  const uint64_t bits = spread_bits(source, index);
  constexpr uint64_t sign = std::is_integral_v<T> && std::is_signed_v<T> ? uint64_t{1} << 63 : 0;
  return element_of_bits<T>(bits ^ sign);
}

}  // namespace weft::bench
