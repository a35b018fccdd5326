#pragma once

#include <cstdint>

#include <weft/api.h>

namespace weft {

/// A 16-bit floating-point number (IEEE 754 binary16), GLSL's float16_t. Conversion to float is exact; conversion from
/// float rounds to nearest, ties to even.
class WEFT_API Half {
 public:
  Half() = default;
  explicit Half(float value) : bits_(rounded(value)) {}
  static constexpr Half from_bits(uint16_t bits) {
    Half half;
    half.bits_ = bits;
    return half;
  }

  constexpr uint16_t bits() const { return bits_; }
  operator float() const { return widened(bits_); }

 private:
  static uint16_t rounded(float value);
  static float widened(uint16_t bits);

  uint16_t bits_ = 0;
};

}  // namespace weft
