// A tile's selected elements and the others, gathered in workgroup memory: the selected first.
//
// Gives:    void weft_stage_partition(x, masks, before, limit, total)   `before` as weft_rank_selected() makes it, and
//                                                                       `total` of `limit` elements selected
// Macros:   those of weft/workgroup/select.glsl
//           WEFT_REVERSED   optional: the others in reversed order
//
// All invocations of the workgroup call it together; masks and before are those of the others afterwards.
#ifndef WEFT_KERNELS_PARTITIONED_TILE
#define WEFT_KERNELS_PARTITIONED_TILE

#include "weft/kernels/selected_tile.glsl"
#include "weft/workgroup/stage.glsl"

void weft_stage_partition(T x[WEFT_ROWS][WEFT_PACK], inout uint masks[WEFT_ROWS], inout uint before[WEFT_ROWS],
                          uint limit, uint total) {
  weft_stage_rows(x, masks, before, 0u);
  // Of the elements before a lane's pack those that are not selected are the others before it.
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    before[row] = min(weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, limit) - before[row];
    masks[row] ^= weft_all_in_pack(gl_SubgroupID, row, limit);
  }
#ifdef WEFT_REVERSED
  weft_stage_rows_backwards(x, masks, before, limit - 1u);
#else
  weft_stage_rows(x, masks, before, total);
#endif
}

#endif
