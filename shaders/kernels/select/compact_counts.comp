#version 460
// First of the three dispatches of compaction and partition without look-back: the number of selected elements of each
// tile.
//
// Inputs:  `count` elements at source; without a macro that selects, a flag for each; one workgroup for each tile.
//          Numbers go to carries.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in the last dispatch. scan_spine.comp runs in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/selection.glsl"

void main() {
  WeftExtent extent = weft_extent(weft_selection_count());
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  uint masks[WEFT_ROWS];
  weft_load_masks(masks, args.source, args.flags, args.options, tile, limit);
  uint selected = 0u, total;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) selected += uint(bitCount(masks[row]));
  weft_count_workgroup_exclusive_scan(selected, total);
  if (gl_LocalInvocationIndex == 0u) weft_index_store_total(args.carries, tile, weft_index(total));
}
