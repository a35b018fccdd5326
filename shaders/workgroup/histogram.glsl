// Counts of a workgroup in workgroup memory, in several copies. Lanes take the copies in turn, so they collide less in
// one bin, or in bins of one memory bank. With at least as many copies as lanes and as banks they never collide.
//
// Gives:    void weft_clear_counts()
//           void weft_add_to_bin(uint bin, uint amount)   by any invocation, at any time
//           weft_bins[weft_own_copy(bin)]                 this lane's copy; bins are WEFT_COPIES words apart
//           uvec2 weft_sum_of_bin(uint bin)               the sum of all copies, as a 64-bit count
//           uvec2 weft_sum_of_halves(uint bin)            the same for bins whose words hold two counts of 16 bits: the
//                                                         sum of the low ones in x, of the high ones in y
// Macros:   WEFT_SHARED_BINS   the number of bins
//           WEFT_COPIES        a power of two
//           WEFT_WIDE_BINS     optional: a bin's count may reach 2^32 in one workgroup
// Usage:    weft_clear_counts();
//           barrier();
//           weft_add_to_bin(bin, 1u);
//           barrier();
//           uvec2 sum = weft_sum_of_bin(gl_LocalInvocationIndex);
#ifndef WEFT_WORKGROUP_HISTOGRAM
#define WEFT_WORKGROUP_HISTOGRAM

#include "weft/thread/count.glsl"

shared uint weft_bins[WEFT_SHARED_BINS * WEFT_COPIES];
#ifdef WEFT_WIDE_BINS
shared uint weft_bins_high[WEFT_SHARED_BINS * WEFT_COPIES];
#endif

void weft_clear_counts() {
  for (uint i = gl_LocalInvocationIndex; i < WEFT_SHARED_BINS * WEFT_COPIES; i += gl_WorkGroupSize.x) {
    weft_bins[i] = 0u;
#ifdef WEFT_WIDE_BINS
    weft_bins_high[i] = 0u;
#endif
  }
}

uint weft_own_copy(uint bin) { return bin * WEFT_COPIES + gl_LocalInvocationIndex % WEFT_COPIES; }

void weft_add_to_bin(uint bin, uint amount) {
  uint copy = weft_own_copy(bin);
#ifdef WEFT_WIDE_BINS
  uint before = atomicAdd(weft_bins[copy], amount);
  if (before + amount < before) atomicAdd(weft_bins_high[copy], 1u);
#else
  atomicAdd(weft_bins[copy], amount);
#endif
}

// The bin's i-th copy. Neighbouring invocations read different banks.
uint weft_bin_copy(uint bin, uint i) { return bin * WEFT_COPIES + (i + bin) % WEFT_COPIES; }

uvec2 weft_sum_of_bin(uint bin) {
  uvec2 sum = uvec2(0u);
  for (uint i = 0u; i < WEFT_COPIES; ++i) {
    uint copy = weft_bin_copy(bin, i);
    uvec2 count = uvec2(weft_bins[copy], 0u);
#ifdef WEFT_WIDE_BINS
    count.y = weft_bins_high[copy];
#endif
    sum = weft_add(sum, count);
  }
  return sum;
}

uvec2 weft_sum_of_halves(uint bin) {
  uvec2 sum = uvec2(0u);
  for (uint i = 0u; i < WEFT_COPIES; ++i) {
    uint word = weft_bins[weft_bin_copy(bin, i)];
    sum += uvec2(word & 0xFFFFu, word >> 16);
  }
  return sum;
}

#endif
