// Order bits of numbers, where -0 and +0 are equal: unsigned integers that compare as the numbers do.
//
// Gives:    uint weft_numeric_order_bits(x)       for uint, int, float: -infinity lowest, NaN at the ends
//           uint64_t weft_numeric_order_bits(x)   for uint64_t, int64_t, if WEFT_EVEN_64 is defined
// Usage:    if (weft_numeric_order_bits(a) < weft_numeric_order_bits(b)) ...
#ifndef WEFT_THREAD_NUMERIC_ORDER
#define WEFT_THREAD_NUMERIC_ORDER

uint weft_numeric_order_bits(uint x) { return x; }
uint weft_numeric_order_bits(int x) { return uint(x) ^ 0x80000000u; }
uint weft_numeric_order_bits(float x) {
  uint bits = x == 0.0 ? 0u : floatBitsToUint(x);
  return bits ^ ((bits & 0x80000000u) != 0u ? 0xFFFFFFFFu : 0x80000000u);
}

#ifdef WEFT_EVEN_64
uint64_t weft_numeric_order_bits(uint64_t x) { return x; }
uint64_t weft_numeric_order_bits(int64_t x) { return uint64_t(x) ^ packUint2x32(uvec2(0u, 0x80000000u)); }
#endif

#endif
