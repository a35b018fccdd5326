// Odd-even merge sort in workgroup memory, of any number of elements and of many sequences at once. Not stable; fewer
// comparators than a bitonic sort. (Batcher 1968, Sorting Networks and Their Applications.)
//
// Gives:    void weft_odd_even_sort(uint length, uint limit)
//                   sorts each sequence of `length` elements among the tile's first `limit`
// Macros:   those of weft/workgroup/compare_exchange.glsl
// Usage:    weft_tile_put(index, x, index);
//           weft_odd_even_sort(length, limit);
//           x = weft_tile_get(index);
//
// All invocations of the workgroup call it together. Starts and ends with a barrier.
#ifndef WEFT_WORKGROUP_ODD_EVEN
#define WEFT_WORKGROUP_ODD_EVEN

#include "weft/workgroup/compare_exchange.glsl"

// One step in all sequences: in blocks of 2 * sorted, whose halves are sorted, compares indices that are `apart` apart.
// Sizes are powers of two.
void weft_odd_even_step(uint length, uint limit, uint half_size, uint sorted, uint apart) {
  barrier();
  uint comparators = (limit + length - 1u) / length * half_size;
  uint size_bits = uint(findMSB(half_size));
  for (uint c = gl_LocalInvocationIndex; c < comparators; c += gl_WorkGroupSize.x) {
    uint within = c & (half_size - 1u), run = (c >> size_bits) * length;
    uint low = 2u * within - (within & (apart - 1u)) + (apart & (sorted - 1u));
    uint high = low + apart;
    bool one_block = (low ^ high) < 2u * sorted;
    if (one_block && high < min(length, limit - run)) weft_compare_exchange(run + low, run + high);
  }
}

void weft_odd_even_sort(uint length, uint limit) {
  uint size = weft_network_size(length);
  for (uint sorted = 1u; sorted < size; sorted *= 2u) {
    for (uint apart = sorted; apart > 0u; apart /= 2u) weft_odd_even_step(length, limit, size / 2u, sorted, apart);
  }
  barrier();
}

#endif
