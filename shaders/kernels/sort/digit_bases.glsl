// For each digit, the rank of its first key among all keys sorted by that digit.
//
// Gives:    everything in weft/kernels/sort/digit_totals.glsl
//           void weft_digit_bases(totals, out base)   for this invocation's digits
// Macros:   those of weft/thread/count.glsl and weft/workgroup/rank_digits.glsl
//
// All invocations of the workgroup call it together.
#ifndef WEFT_KERNELS_DIGIT_BASES
#define WEFT_KERNELS_DIGIT_BASES

#include "weft/kernels/sort/digit_totals.glsl"
#include "weft/workgroup/rank_digits.glsl"

#include "weft/subgroup/index_sum.glsl"

#include "weft/workgroup/scan.glsl"
#undef T
#undef WEFT_OP

void weft_digit_bases(WeftDigitTotals totals, out WeftIndex base[WEFT_OWN_DIGITS]) {
  WeftIndex own = WeftIndex(0u), total;
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    base[k] = own;
    if (weft_own_digit(k) < WEFT_DIGITS) own = weft_add(own, totals.digit[weft_own_digit(k)]);
  }
  WeftIndex before = weft_index_workgroup_exclusive_scan(own, total);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) base[k] = weft_add(before, base[k]);
}

#endif
