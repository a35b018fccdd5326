// 64-bit counts, on devices without 64-bit integers too: a uvec2 holds the low word in x and the high word in y.
//
// Gives:    uvec2 weft_wide(uint), weft_add(), weft_subtract(), weft_multiply(), weft_min(), weft_less()
//           uvec2 weft_divide(n, divisor, out remainder)
//           WeftCount   buffer reference to one count: of 64 bits, or a word of 32
//           uvec2 weft_load_count(location, is_word), void weft_store_count(location, is_word, count)
//           WeftIndex   an index among all elements: uint, or uvec2 with WEFT_WIDE_INDEX; weft_index(uint) makes one,
//                       and so does weft_product(uint, uint); weft_last_index() is the largest. The functions above
//                       take uint too, and so does weft_half()
//           uint weft_low(WeftIndex)   its low word
// Macros:   WEFT_WIDE_INDEX  optional: define it if indices reach 2^32
#ifndef WEFT_THREAD_COUNT
#define WEFT_THREAD_COUNT

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

#ifdef WEFT_WIDE_INDEX
#define WeftIndex uvec2
#else
#define WeftIndex uint
#endif

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftCount { uint word; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftWideCount { uvec2 value; };

uvec2 weft_wide(uint x) { return uvec2(x, 0u); }
uvec2 weft_wide(uvec2 x) { return x; }
uint weft_low(uint x) { return x; }
uint weft_low(uvec2 x) { return x.x; }

uint weft_add(uint a, uint b) { return a + b; }
uvec2 weft_add(uvec2 a, uvec2 b) {
  uint carry;
  uint low = uaddCarry(a.x, b.x, carry);
  return uvec2(low, a.y + b.y + carry);
}

uvec2 weft_add(uvec2 a, uint b) { return weft_add(a, uvec2(b, 0u)); }

uint weft_subtract(uint a, uint b) { return a - b; }
uvec2 weft_subtract(uvec2 a, uvec2 b) {
  uint borrow;
  uint low = usubBorrow(a.x, b.x, borrow);
  return uvec2(low, a.y - b.y - borrow);
}

uvec2 weft_multiply(uvec2 a, uint b) {
  uint low, high;
  umulExtended(a.x, b, high, low);
  return uvec2(low, high + a.y * b);
}

uint weft_half(uint a) { return a / 2u; }
uvec2 weft_half(uvec2 a) { return uvec2((a.y << 31) | (a.x >> 1), a.y >> 1); }

bool weft_less(uint a, uint b) { return a < b; }
bool weft_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
uint weft_min(uint a, uint b) { return min(a, b); }
uvec2 weft_min(uvec2 a, uvec2 b) { return weft_less(a, b) ? a : b; }

#ifdef WEFT_WIDE_INDEX
WeftIndex weft_index(uint x) { return weft_wide(x); }
WeftIndex weft_index(uvec2 x) { return x; }
WeftIndex weft_product(uint a, uint b) { return weft_multiply(weft_wide(a), b); }
WeftIndex weft_last_index() { return uvec2(0xFFFFFFFFu); }
#else
WeftIndex weft_index(uint x) { return x; }
WeftIndex weft_index(uvec2 x) { return x.x; }
WeftIndex weft_product(uint a, uint b) { return a * b; }
WeftIndex weft_last_index() { return 0xFFFFFFFFu; }
#endif

// n / divisor for a divisor below 2^16: long division in 16-bit digits; each dividend is below divisor * 2^16.
uvec2 weft_divide(uvec2 n, uint divisor, out uint remainder) {
  uint upper = ((n.y % divisor) << 16) | (n.x >> 16);
  uint lower = ((upper % divisor) << 16) | (n.x & 0xFFFFu);
  remainder = lower % divisor;
  return uvec2(((upper / divisor) << 16) | (lower / divisor), n.y / divisor);
}

// By way of uvec2: SwiftShader cannot convert one reference to another.
WeftWideCount weft_wide_count(WeftCount location) { return WeftWideCount(uvec2(location)); }

uvec2 weft_load_count(WeftCount location, bool is_word) {
  if (is_word) return weft_wide(location.word);
  return weft_wide_count(location).value;
}

void weft_store_count(WeftCount location, bool is_word, uvec2 count) {
  if (is_word) {
    location.word = count.x;
  } else {
    weft_wide_count(location).value = count;
  }
}

#endif
