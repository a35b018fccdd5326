#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace weft::test {

/// The seed of this run: WEFT_TEST_SEED, or a fresh one. Printed when a test fails.
uint64_t run_seed();

/// A generator whose numbers depend on the run's seed and on `purpose`, so that a test gets the same ones whether it
/// runs alone or among others.
std::mt19937_64 random_generator(const std::string& purpose);

/// Any bit patterns for integers; for floating point small whole numbers, whose sums are exact in any order.
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
