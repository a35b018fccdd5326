#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace weft::test {

/// Returns the seed of this run: WEFT_TEST_SEED, or a new one. Printed if a test fails.
uint64_t run_seed();

/// Returns a generator whose numbers depend on the run's seed and `purpose`, so that a test gets the same numbers alone
/// and among others.
std::mt19937_64 random_generator(const std::string& purpose);

/// Generates any bit patterns for integers, and small whole numbers for floating point, whose sums are exact in any
/// order.
template <typename T>
T random_value(std::mt19937_64& generator) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(int64_t(generator() % 17) - 8);
  } else {
    return static_cast<T>(generator());
  }
}

template <typename T>
std::vector<T> random_values(size_t count, std::mt19937_64& generator) {
  std::vector<T> values(count);
  for (T& value : values) value = random_value<T>(generator);
  return values;
}

}  // namespace weft::test
