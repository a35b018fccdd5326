// Bitonic sort in workgroup memory, of any number of elements and of many sequences at once. Not stable.
// (Batcher 1968, Sorting Networks and Their Applications; all comparators point the same way, so indices past the last
// element need no comparator.)
//
// Gives:    void weft_bitonic_sort(uint length, uint limit)
//                   sorts each sequence of `length` elements among the tile's first `limit`
// Macros:   those of weft/workgroup/compare_exchange.glsl
// Usage:    weft_tile_put(index, x, index);
//           weft_bitonic_sort(length, limit);
//           x = weft_tile_get(index);
//
// All invocations of the workgroup call it together. Starts and ends with a barrier.
#ifndef WEFT_WORKGROUP_BITONIC
#define WEFT_WORKGROUP_BITONIC

#include "weft/workgroup/compare_exchange.glsl"

// One step in all sequences: compares index x with x ^ flip, for x in the first halves of blocks. Sizes are powers of
// two.
void weft_bitonic_step(uint length, uint limit, uint half_size, uint half_block, uint flip) {
  barrier();
  uint comparators = (limit + length - 1u) / length * half_size;
  uint size_bits = uint(findMSB(half_size));
  for (uint c = gl_LocalInvocationIndex; c < comparators; c += gl_WorkGroupSize.x) {
    uint within = c & (half_size - 1u), run = (c >> size_bits) * length;
    uint low = 2u * within - (within & (half_block - 1u));
    uint high = low ^ flip;
    if (high < min(length, limit - run)) weft_compare_exchange(run + low, run + high);
  }
}

void weft_bitonic_sort(uint length, uint limit) {
  uint size = weft_network_size(length);
  for (uint block = 2u; block <= size; block *= 2u) {
    weft_bitonic_step(length, limit, size / 2u, block / 2u, block - 1u);  // With its mirror image in the block.
    for (uint half_block = block / 4u; half_block > 0u; half_block /= 2u) {
      weft_bitonic_step(length, limit, size / 2u, half_block, half_block);
    }
  }
  barrier();
}

#endif
