#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

namespace weft::test {

/// Floats with random bits: fractions of every magnitude, many infinities, zeros and NaNs of both signs.
inline std::vector<float> floats_of_any_bits(uint64_t count, std::mt19937_64& generator) {
  constexpr uint32_t special[] = {0, 0x3f800000, 0x3f800001, 0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fc00005};
  std::vector<float> floats(count);
  for (float& x : floats) {
    const auto bits = uint32_t(generator()), sign = bits & 0x80000000;
    x = std::bit_cast<float>(bits % 2 == 0 ? bits : sign | special[generator() % std::size(special)]);
  }
  return floats;
}

}  // namespace weft::test
