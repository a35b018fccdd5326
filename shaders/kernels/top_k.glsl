// What the kernels of top-k share: keys as bits, and the bits of the k-th one as far as histograms of digits tell.
//
// Gives:    WEFT_TOP_PASSES        digits of a key, 8 bits each, from the upper end
//           uvec2 weft_top_bits(x)   bits of a key, by which the wanted ones are the lowest
//           uint weft_top_digit(bits, pass)
//           bool weft_top_follows(bits, found, pass)   whether the digits before that of `pass` are those found
//           void weft_find_digits(counts, passes, inout uvec2 found, inout uint needed)
//                    the first digits of the needed-th key; `needed` then counts among the keys that begin with them
// Macros:   those of weft/thread/element.glsl and weft/thread/radix_key.glsl, T being an unsigned integer
//
// All invocations of the workgroup call weft_find_digits() together; 256 counts for each pass.
#ifndef WEFT_KERNELS_TOP_K
#define WEFT_KERNELS_TOP_K

#include "weft/thread/radix_key.glsl"
#include "weft/workgroup/scan_counts.glsl"

#define WEFT_TOP_PASSES uint(WEFT_KEY_BYTES)

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTopCounts { uint word[]; };

shared uint weft_top_found[2];

uvec2 weft_top_bits(T x) {
  uint words[T_WORDS] = weft_to_words(x);
  uvec2 bits = uvec2(words[0], 0u);
#if T_WORDS == 2
  bits.y = words[1];
#endif
  return weft_sort_bits(bits & weft_key_ones);
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

void weft_find_digits(WeftTopCounts counts, uint passes, inout uvec2 found, inout uint needed) {
  for (uint pass = 0u; pass < passes; ++pass) {
    uint before = 0u;
    for (uint first = 0u; first < 256u; first += gl_WorkGroupSize.x) {
      uint digit = first + gl_LocalInvocationIndex, here = 0u, total;
      if (digit < 256u) here = counts.word[pass * 256u + digit];
      uint below = before + weft_count_workgroup_exclusive_scan(here, total);
      if (below < needed && needed <= below + here) {  // Of one digit, because 0 < needed <= all counts together.
        weft_top_found[0] = digit;
        weft_top_found[1] = below;
      }
      before += total;
    }
    barrier();
    found |= weft_top_bits_of_digit(weft_top_found[0], pass);
    needed -= weft_top_found[1];
    barrier();  // The next pass writes them again.
  }
}

#endif
