// Stores a tile's selected elements and the others side by side, a few rows at a time.
//
// Gives:    void weft_store_partition(destination, index, others, others_index, x, masks, before, limit, total)
//              from element `index` of the destination and element `others_index` of the others on; `before` as
//              weft_rank_selected() makes it, and `total` of `limit` elements selected
// Macros:   those of weft/workgroup/select.glsl and weft/workgroup/store_selected.glsl
//           WEFT_REVERSED   optional: the others are in reverse order
#ifndef WEFT_KERNELS_PARTITIONED_TILE
#define WEFT_KERNELS_PARTITIONED_TILE

#include "weft/kernels/select/selected_tile.glsl"
#include "weft/workgroup/store_selected.glsl"

void weft_store_partition(uvec2 destination, WeftIndex index, uvec2 others, WeftIndex others_index,
                          T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint limit,
                          uint total) {
  weft_store_selected(destination, index, x, masks, before);
  // Elements before a lane's pack that are not selected are the others before it.
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    before[row] = min(weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, limit) - before[row];
    masks[row] ^= weft_all_in_pack(gl_SubgroupID, row, limit);
  }
#ifdef WEFT_REVERSED
  weft_store_selected_backwards(others, others_index, limit - total, x, masks, before);
#else
  weft_store_selected(others, others_index, x, masks, before);
#endif
}

#endif
