// Where a tile's others go: the elements that a partition does not select.
//
// Gives:    WeftIndex weft_others_index(tile, rank, total, limit, count)
//              of the first of the tile's places for others, if `rank` elements are selected before the tile and
//              `total` of its `limit` elements
// Macros:   those of weft/workgroup/extent.glsl and weft/thread/count.glsl
//           WEFT_REVERSED   optional: the others are in reverse order, and end at index `count`
#ifndef WEFT_KERNELS_OTHERS
#define WEFT_KERNELS_OTHERS

#include "weft/thread/count.glsl"
#include "weft/workgroup/extent.glsl"

WeftIndex weft_others_index(uint tile, WeftIndex rank, uint total, uint limit, uvec2 count) {
  WeftIndex before = weft_subtract(weft_index(weft_multiply(uvec2(tile, 0u), weft_tile_size())), rank);
#ifdef WEFT_REVERSED
  return weft_subtract(weft_index(count), weft_add(before, weft_index(limit - total)));
#else
  return before;
#endif
}

#endif
