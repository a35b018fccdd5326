#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "support/scalar_type.h"

namespace weft::support {

/// The order bits of x: an unsigned integer of the same width that compares as x does. Floating-point numbers are in
/// IEEE 754's totalOrder: -0 before 0, NaNs at either end by their sign.
template <typename T>
auto order_bits(T x) {
  using Word = std::conditional_t<sizeof(T) == 8, uint64_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>;
  using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, Word>;
  const auto bits = std::bit_cast<Bits>(x);
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  if (is_float_type<T> && (bits & sign) != 0) return Bits(~bits);
  return Bits(is_float_type<T> || std::is_signed_v<T> ? bits ^ sign : bits);
}

}  // namespace weft::support
