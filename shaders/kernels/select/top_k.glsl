// Shared by the kernels of top-k: keys as bits, and the leading digits of the k-th key, from histograms of digits.
//
// Gives:    WEFT_TOP_PASSES        digits of a key, 8 bits each, from the upper end
//           uvec2 weft_top_bits(x)   bits of a key, the lowest for the keys that come first
//           uint weft_top_digit(bits, pass)
//           bool weft_top_follows(bits, found, pass)   whether the digits before that of `pass` are those found
//           void weft_find_digits(counts, passes, inout uvec2 found, inout WeftIndex needed)
//                    the first digits of the needed-th key; `needed` then counts among the keys that begin with them
//           void weft_add_to_digit(counts, at, uvec2 amount)   digit `at % 256` of pass `at / 256`
// Macros:   those of weft/thread/element_type.glsl, which it includes, and weft/thread/radix_key.glsl; T is an unsigned
//           integer
//           WEFT_WIDE_INDEX   makes counts 64-bit and needs 64-bit atomics on buffers, as weft/device/enqueue.glsl does
//
// All invocations of the workgroup call weft_find_digits() together; 256 counts for each pass.
#ifndef WEFT_KERNELS_TOP_K
#define WEFT_KERNELS_TOP_K

#include "weft/subgroup/index_sum.glsl"

#include "weft/workgroup/scan.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"
#include "weft/thread/radix_key.glsl"

#define WEFT_TOP_PASSES uint(WEFT_KEY_BYTES)

#ifdef WEFT_WIDE_INDEX
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftTopCounts { uint64_t digit[]; };

WeftIndex weft_keys_of_digit(WeftTopCounts counts, uint at) { return unpackUint2x32(counts.digit[at]); }
void weft_add_to_digit(WeftTopCounts counts, uint at, uvec2 amount) {
  atomicAdd(counts.digit[at], packUint2x32(amount));
}
#else
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTopCounts { uint digit[]; };

WeftIndex weft_keys_of_digit(WeftTopCounts counts, uint at) { return counts.digit[at]; }
void weft_add_to_digit(WeftTopCounts counts, uint at, uvec2 amount) { atomicAdd(counts.digit[at], amount.x); }
#endif

shared WeftIndex weft_top_found[2];

uvec2 weft_top_bits(T x) {
  uint words[T_WORDS] = weft_to_words(x);
  uvec2 bits = uvec2(words[0], 0u);
#if T_WORDS == 2
  bits.y = words[1];
#endif
  return weft_order_bits(bits & weft_key_ones);
}

uint weft_top_shift(uint pass) { return 8u * (WEFT_TOP_PASSES - 1u - pass); }

uint weft_top_digit(uvec2 bits, uint pass) {
  uint shift = weft_top_shift(pass);
  return (shift < 32u ? bits.x >> shift : bits.y >> (shift - 32u)) & 0xFFu;
}

uvec2 weft_top_bits_of_digit(uint digit, uint pass) {
  uint shift = weft_top_shift(pass);
  return shift < 32u ? uvec2(digit << shift, 0u) : uvec2(0u, digit << (shift - 32u));
}

// `found` has zeros where digits are not found yet.
bool weft_top_follows(uvec2 bits, uvec2 found, uint pass) {
  uint known = 8u * pass, all = 8u * WEFT_TOP_PASSES;  // The lowest all - known bits do not matter.
  uint rest = all - known;
  uvec2 differ = bits ^ found;
  if (rest >= 32u) return rest == 64u || (differ.y >> (rest - 32u)) == 0u;
  return differ.y == 0u && (differ.x >> rest) == 0u;
}

void weft_find_digits(WeftTopCounts counts, uint passes, inout uvec2 found, inout WeftIndex needed) {
  for (uint pass = 0u; pass < passes; ++pass) {
    WeftIndex before = weft_index(0u);
    for (uint first = 0u; first < 256u; first += gl_WorkGroupSize.x) {
      uint digit = first + gl_LocalInvocationIndex;
      WeftIndex here = weft_index(0u), total;
      if (digit < 256u) here = weft_keys_of_digit(counts, pass * 256u + digit);
      WeftIndex below = weft_add(before, weft_index_workgroup_exclusive_scan(here, total));
      // True for one digit, because 0 < needed <= the sum of all counts.
      if (weft_less(below, needed) && !weft_less(weft_add(below, here), needed)) {
        weft_top_found[0] = weft_index(digit);
        weft_top_found[1] = below;
      }
      before = weft_add(before, total);
    }
    barrier();
    found |= weft_top_bits_of_digit(weft_low(weft_top_found[0]), pass);
    needed = weft_subtract(needed, weft_top_found[1]);
    barrier();  // The next pass writes them again.
  }
}

#endif
