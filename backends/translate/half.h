#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace weft::translate {

inline float half_to_float(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = (half >> 10) & 31, fraction = half & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(fraction + 1024), static_cast<int>(exponent) - 25);
  return sign ? -magnitude : magnitude;
}

/// Rounds to nearest even.
inline uint16_t half_from_float(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value), sign = (bits >> 16) & 0x8000u;
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00u);
  if (magnitude >= 65520.0f) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 6.103515625e-05f) {  // subnormal: a multiple of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint32_t>(std::nearbyint(magnitude * 16777216.0f)));
  }
  const uint32_t absolute = bits & 0x7fffffffu;
  const uint32_t rounded = absolute + 0xfffu + ((absolute >> 13) & 1);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

/// The result of OpQuantizeToF16: values too small for a normal half become zero.
inline float quantize_to_half(float value) {
  if (std::fabs(value) < 6.103515625e-05f) return std::copysign(0.0f, value);
  return half_to_float(half_from_float(value));
}

}  // namespace weft::translate
