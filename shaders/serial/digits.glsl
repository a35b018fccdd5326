// The digits of keys that one invocation runs over.
//
// Gives:    WEFT_DIGITS        the number of digits: 2^WEFT_DIGIT_BITS
//           WEFT_KEY_BITS      a key's bits in workgroup memory, uint or uvec2; weft_wide() turns them into a uvec2,
//                              and weft_set_bits() sets them to one
//           void weft_clear_digits()
//           void weft_count_digit(uint table, uint digit)   in one of four tables
//           void weft_count_digits(keys, count, begin, mask)   of `count` keys at that address
//           void weft_sum_digits()    weft_digit_count[d] = the sum of the tables
//           void weft_scan_digits()   weft_digit_next[d] = the rank of the first element of digit d
//           uint weft_take_rank(uint digit)   the rank of the digit's next element, in the order of calls
// Macros:   WEFT_DIGIT_BITS
//           those of weft/thread/bits.glsl and weft/thread/radix_key.glsl
//
// Neighbours count in different tables: where they share a digit, an increment does not wait for the one before it.
#ifndef WEFT_SERIAL_DIGITS
#define WEFT_SERIAL_DIGITS

#include "weft/thread/bits.glsl"
#include "weft/thread/radix_key.glsl"

#define WEFT_DIGITS (1u << WEFT_DIGIT_BITS)

#if WEFT_KEY_BYTES == 8
#define WEFT_KEY_BITS uvec2
#else
#define WEFT_KEY_BITS uint
#endif

void weft_set_bits(out uint x, uvec2 bits) { x = bits.x; }
void weft_set_bits(out uvec2 x, uvec2 bits) { x = bits; }

shared uint weft_digit_tables[4u * WEFT_DIGITS];
shared uint weft_digit_count[WEFT_DIGITS];
shared uint weft_digit_next[WEFT_DIGITS];

void weft_clear_digits() {
  for (uint i = 0u; i < 4u * WEFT_DIGITS; ++i) weft_digit_tables[i] = 0u;
}

void weft_count_digit(uint table, uint digit) { weft_digit_tables[table * WEFT_DIGITS + digit] += 1u; }

void weft_count_digits(uvec2 keys, uint count, uint begin, uint mask) {
  uint i = 0u;
  for (; i + 3u < count; i += 4u) {
    uint a = weft_digit(weft_load_bits(keys, WEFT_KEY_BYTES, i), begin, mask);
    uint b = weft_digit(weft_load_bits(keys, WEFT_KEY_BYTES, i + 1u), begin, mask);
    uint c = weft_digit(weft_load_bits(keys, WEFT_KEY_BYTES, i + 2u), begin, mask);
    uint d = weft_digit(weft_load_bits(keys, WEFT_KEY_BYTES, i + 3u), begin, mask);
    weft_count_digit(0u, a);
    weft_count_digit(1u, b);
    weft_count_digit(2u, c);
    weft_count_digit(3u, d);
  }
  for (; i < count; ++i) weft_count_digit(0u, weft_digit(weft_load_bits(keys, WEFT_KEY_BYTES, i), begin, mask));
}

void weft_sum_digits() {
  for (uint d = 0u; d < WEFT_DIGITS; ++d) {
    weft_digit_count[d] = weft_digit_tables[d] + weft_digit_tables[WEFT_DIGITS + d] +
                          weft_digit_tables[2u * WEFT_DIGITS + d] + weft_digit_tables[3u * WEFT_DIGITS + d];
  }
}

void weft_scan_digits() {
  uint before = 0u;
  for (uint d = 0u; d < WEFT_DIGITS; ++d) {
    weft_digit_next[d] = before;
    before += weft_digit_count[d];
  }
}

uint weft_take_rank(uint digit) {
  uint rank = weft_digit_next[digit];
  weft_digit_next[digit] = rank + 1u;
  return rank;
}

#endif
