// Numbers as words that compare as the numbers do.
//
// Gives:    uint weft_ordered(x)   for uint, int, float: -infinity lowest, -0 and +0 the same word, NaN at the ends
//           uint64_t weft_ordered(x)   for uint64_t, int64_t, if WEFT_EVEN_64 is defined
// Usage:    if (weft_ordered(a) < weft_ordered(b)) ...
#ifndef WEFT_THREAD_ORDERED
#define WEFT_THREAD_ORDERED

uint weft_ordered(uint x) { return x; }
uint weft_ordered(int x) { return uint(x) ^ 0x80000000u; }
uint weft_ordered(float x) {
  uint bits = x == 0.0 ? 0u : floatBitsToUint(x);
  return bits ^ ((bits & 0x80000000u) != 0u ? 0xFFFFFFFFu : 0x80000000u);
}

#ifdef WEFT_EVEN_64
uint64_t weft_ordered(uint64_t x) { return x; }
uint64_t weft_ordered(int64_t x) { return uint64_t(x) ^ packUint2x32(uvec2(0u, 0x80000000u)); }
#endif

#endif
