// The comparison by which elements are sorted and merged.
//
// Gives:    bool weft_before(T a, T b)   whether a comes before b; elements are equal if neither comes before the other
//           bool weft_ascending(a, b)    for scalars: a < b. For floats in the total order with -0 before +0, and NaNs
//                                        after everything, or before it if their sign is set
// Macros:   T            the element type
//           WEFT_BEFORE  expression of a and b, a strict weak order: "a < b"
//           those of weft/thread/words.glsl
#ifndef WEFT_THREAD_COMPARISON
#define WEFT_THREAD_COMPARISON

#include "weft/thread/count.glsl"
#include "weft/thread/words.glsl"

bool weft_ascending(uint a, uint b) { return a < b; }
bool weft_ascending(int a, int b) { return a < b; }
// The order bits of a float, signed. Negative floats descend as their bits ascend, so all bits but the sign are
// inverted.
int weft_order_bits(float x) {
  int bits = floatBitsToInt(x);
  return bits ^ int(uint(bits >> 31) >> 1);
}
bool weft_ascending(float a, float b) { return weft_order_bits(a) < weft_order_bits(b); }

#ifdef WEFT_INT8
bool weft_ascending(uint8_t a, uint8_t b) { return a < b; }
bool weft_ascending(int8_t a, int8_t b) { return a < b; }
#endif

#ifdef WEFT_INT16
bool weft_ascending(uint16_t a, uint16_t b) { return a < b; }
bool weft_ascending(int16_t a, int16_t b) { return a < b; }
#endif

#ifdef WEFT_FLOAT16
uint weft_order_bits(float16_t x) {
  uint bits = weft_to_words(x)[0];
  return bits ^ ((bits & 0x8000u) != 0u ? 0xFFFFu : 0x8000u);
}
bool weft_ascending(float16_t a, float16_t b) { return weft_order_bits(a) < weft_order_bits(b); }
#endif

#ifdef WEFT_INT64
bool weft_ascending(uint64_t a, uint64_t b) { return a < b; }
bool weft_ascending(int64_t a, int64_t b) { return a < b; }
#endif

#ifdef WEFT_FLOAT64
uvec2 weft_order_bits(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return int(bits.y) < 0 ? ~bits : uvec2(bits.x, bits.y ^ 0x80000000u);
}
bool weft_ascending(double a, double b) { return weft_less(weft_order_bits(a), weft_order_bits(b)); }
#endif

bool weft_before(T a, T b) { return WEFT_BEFORE; }

#endif
