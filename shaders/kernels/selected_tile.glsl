// A tile and what is selected of it, as compaction and enqueue begin.
//
// Gives:    void weft_load_selected(x, masks, source, flags, options, tile, limit)
//           uint weft_rank_selected(masks, before)   how many are selected before each row's pack; returns how many in all
// Macros:   those of weft/workgroup/select.glsl
#ifndef WEFT_KERNELS_SELECTED_TILE
#define WEFT_KERNELS_SELECTED_TILE

#include "weft/kernels/options.glsl"
#include "weft/workgroup/scan_counts.glsl"
#include "weft/workgroup/select.glsl"

void weft_load_selected(out T x[WEFT_ROWS][WEFT_PACK], out uint masks[WEFT_ROWS], uvec2 source, uvec2 flags,
                        uint options, uint tile, uint limit) {
  weft_load_rows(x, source, weft_has(options, weft_source_vectors), tile * weft_tile_blocks(), gl_SubgroupID, limit,
                 weft_zero());
#ifdef WEFT_WHERE
  weft_select_rows(x, tile * weft_tile_size(), gl_SubgroupID, limit, masks);
#else
  weft_select_rows(flags, weft_has(options, weft_flags_vectors), tile * weft_tile_flag_blocks(), gl_SubgroupID, limit,
                   masks);
#endif
}

uint weft_rank_selected(uint masks[WEFT_ROWS], out uint before[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = uint(bitCount(masks[row]));
  uint total;
  weft_count_workgroup_scan_rows(before, total);
  return total;
}

#endif
