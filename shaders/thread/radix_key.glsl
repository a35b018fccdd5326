// Keys of a radix sort: their order bits, unsigned integers that compare as the keys do, and the digits of these.
//
// Gives:    uvec2 weft_order_bits(uvec2 key)   from the key's bits, see weft/thread/bits.glsl
//           uint weft_digit_of_bits(uvec2 bits, uint begin, uint mask)   the digit of order bits that starts at `begin`
//           uint weft_digit(uvec2 key, uint begin, uint mask)   the same of a key
//           uvec2 weft_last_key()              a key that no other comes after
// Macros:   WEFT_KEY_BYTES    1, 2, 4 or 8
//           WEFT_KEY_SIGNED   for signed integers; or
//           WEFT_KEY_FLOAT    for floats: in the order of IEEE 754's totalOrder, so -0 comes before +0, and NaNs are
//                             beyond the infinities, at the end of their sign
//           WEFT_DESCENDING   the largest first
#ifndef WEFT_THREAD_RADIX_KEY
#define WEFT_THREAD_RADIX_KEY

#if WEFT_KEY_BYTES == 8
const uvec2 weft_key_ones = uvec2(0xFFFFFFFFu);
const uvec2 weft_key_sign = uvec2(0u, 0x80000000u);
#else
const uvec2 weft_key_ones = uvec2(0xFFFFFFFFu >> (32 - 8 * WEFT_KEY_BYTES), 0u);
const uvec2 weft_key_sign = uvec2(1u << (8 * WEFT_KEY_BYTES - 1), 0u);
#endif

uvec2 weft_order_bits(uvec2 key) {
#ifdef WEFT_KEY_FLOAT
  bool negative = ((key.x & weft_key_sign.x) | (key.y & weft_key_sign.y)) != 0u;
  key ^= negative ? weft_key_ones : weft_key_sign;
#elif defined(WEFT_KEY_SIGNED)
  key ^= weft_key_sign;
#endif
#ifdef WEFT_DESCENDING
  key ^= weft_key_ones;
#endif
  return key;
}

uvec2 weft_last_key() {
#if defined(WEFT_KEY_FLOAT) && defined(WEFT_DESCENDING)
  return weft_key_ones;
#elif defined(WEFT_KEY_FLOAT) || (defined(WEFT_KEY_SIGNED) && !defined(WEFT_DESCENDING))
  return weft_key_ones ^ weft_key_sign;
#elif defined(WEFT_KEY_SIGNED)
  return weft_key_sign;
#elif defined(WEFT_DESCENDING)
  return uvec2(0u);
#else
  return weft_key_ones;
#endif
}

uint weft_digit_of_bits(uvec2 bits, uint begin, uint mask) {
#if WEFT_KEY_BYTES == 8
  uint low = begin < 32u ? bits.x >> begin : 0u;
  uint high = begin < 32u ? (bits.y << (31u - begin)) << 1u : bits.y >> (begin - 32u);
  return (low | high) & mask;
#else
  return (bits.x >> begin) & mask;
#endif
}

uint weft_digit(uvec2 key, uint begin, uint mask) {
#ifdef WEFT_KEY_FLOAT
  return weft_digit_of_bits(weft_order_bits(key), begin, mask);
#else
  // An integer's order flips the same bits of all keys, which a pass finds once.
  return weft_digit_of_bits(key, begin, mask) ^ weft_digit_of_bits(weft_order_bits(uvec2(0u)), begin, mask);
#endif
}

#endif
