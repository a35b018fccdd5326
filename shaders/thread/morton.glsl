// Morton codes: the bits of two or three coordinates interleaved, so that points with near codes are near in space. Of
// the bits of one digit, x's is the highest.
//
// Gives:    uint weft_morton(uvec2 cell)         a code of 32 bits, of the low 16 bits of each coordinate
//           uint weft_morton(uvec3 cell)         of 30 bits, of the low 10 bits
//           uvec2 weft_morton_wide(uvec2 cell)   of 64 bits, of all 32 bits; the low word in x
//           uvec2 weft_morton_wide(uvec3 cell)   of 63 bits, of the low 21 bits
//           float weft_morton_scale(float low, float high, uint bits)
//                   what divides [low, high] into 2^bits cells, for the next function
//           uint weft_morton_cell(float x, float low, float scale, uint bits)
//                   the cell of x: 0 below `low` and for NaN, the last one above the end
// Macros:   none
// Usage:    float scale = weft_morton_scale(low, high, 16u);
//           ... weft_morton(uvec2(weft_morton_cell(p.x, low, scale, 16u), ...)) ...
//
// Everything is in cell 0 if low and high are less than 2^-90 apart, or not finite. Cells are the same on every device
// that rounds to nearest even. (Morton 1966, A Computer Oriented Geodetic Data Base.)
#ifndef WEFT_THREAD_MORTON
#define WEFT_THREAD_MORTON

// The low 16 bits of x, each followed by a zero.
uint weft_spread_by_2(uint x) {
  x &= 0x0000FFFFu;
  x = (x | x << 8) & 0x00FF00FFu;
  x = (x | x << 4) & 0x0F0F0F0Fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}

// The low 10 bits of x, each followed by two zeros.
uint weft_spread_by_3(uint x) {
  x &= 0x000003FFu;
  x = (x | x << 16) & 0x030000FFu;
  x = (x | x << 8) & 0x0300F00Fu;
  x = (x | x << 4) & 0x030C30C3u;
  return (x | x << 2) & 0x09249249u;
}

uint weft_morton(uvec2 cell) { return weft_spread_by_2(cell.x) << 1 | weft_spread_by_2(cell.y); }
uint weft_morton(uvec3 cell) {
  return weft_spread_by_3(cell.x) << 2 | weft_spread_by_3(cell.y) << 1 | weft_spread_by_3(cell.z);
}

uvec2 weft_morton_wide(uvec2 cell) { return uvec2(weft_morton(cell), weft_morton(cell >> 16)); }
uvec2 weft_morton_wide(uvec3 cell) {
  uint low = weft_morton(cell), middle = weft_morton(cell >> 10), high = weft_morton(cell >> 20 & 1u);
  return uvec2(low | middle << 30, middle >> 2 | high << 28);
}

float weft_power_of_two(int exponent) { return uintBitsToFloat(uint(127 + exponent) << 23); }

// Halves keep the differences of all floats finite. (2^128 is infinity.)
float weft_morton_scale(float low, float high, uint bits) {
  precise float extent = 0.5 * high - 0.5 * low;
  if (!(extent >= weft_power_of_two(-91) && extent < weft_power_of_two(128))) return 0.0;
  float cells = weft_power_of_two(int(bits));
  // Vulkan bounds the error of a quotient only for divisors of up to 2^126; on NVIDIA's driver others give 0.
  precise float divisor = extent * weft_power_of_two(-32), quotient = cells * weft_power_of_two(-32) / divisor;
  uint scale = floatBitsToUint(quotient);
  // Devices round quotients differently, but not products. The largest scale that maps `extent` to at most `cells`:
  for (int k = 0; k < 4; ++k) {
    precise float end = uintBitsToFloat(scale) * extent;
    if (end > cells) --scale;
  }
  for (int k = 0; k < 4; ++k) {
    precise float end = uintBitsToFloat(scale + 1u) * extent;
    if (end <= cells) ++scale;
  }
  return uintBitsToFloat(scale);
}

uint weft_morton_cell(float x, float low, float scale, uint bits) {
  bool is_nan = (floatBitsToUint(x) & 0x7FFFFFFFu) > 0x7F800000u;
  if (is_nan || scale == 0.0) return 0u;
  precise float cell = (0.5 * x - 0.5 * low) * scale;
  // The largest float below 2^bits. Floats of more than 24 bits do not reach the last cell.
  float last = uintBitsToFloat((127u + bits << 23) - 1u);
  if (bits > 24u && cell >= last) return 0xFFFFFFFFu >> (32u - bits);
  return cell > 0.0 ? uint(min(cell, last)) : 0u;
}

#endif
