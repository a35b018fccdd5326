// Where a partition's others go, for both of its paths.
//
// Gives:    WeftIndex weft_others_place(tile, place, total, limit, count)
//              where the others of a tile start in their memory: `place` elements are selected before the tile, and
//              `total` of its `limit` elements are
// Macros:   WEFT_REVERSED   optional: the others lie in reversed order up to the end of `count` elements; otherwise in
//                           order from the start of their memory on
#ifndef WEFT_KERNELS_PARTITION
#define WEFT_KERNELS_PARTITION

#include "weft/kernels/select/partitioned_tile.glsl"

#ifdef WEFT_WIDE_INDEX
WeftIndex weft_index_of(uvec2 count) { return count; }
#else
WeftIndex weft_index_of(uvec2 count) { return count.x; }
#endif

WeftIndex weft_others_place(uint tile, WeftIndex place, uint total, uint limit, uvec2 count) {
  WeftIndex before = weft_index_of(weft_multiply(uvec2(tile, 0u), weft_tile_size()));
  before = weft_subtract(before, place);
#ifdef WEFT_REVERSED
  return weft_subtract(weft_index_of(count), weft_add(before, weft_index(limit - total)));
#else
  return before;
#endif
}

#endif
