#version 460
// First of the three dispatches of a segmented scan or reduction without look-back: the number of segments that start
// in each tile, and the total of the elements from the last of these heads on.
//
// Inputs:  `count` elements at source; heads (weft/kernels/runs/segments.glsl); one workgroup for each tile. Both
//          results go to carries, WEFT_SEGMENT_WORDS words a tile.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in the last dispatch. scan_spine.comp runs in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments.glsl"

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  weft_load_heads(masks, tile, limit);
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  if (gl_LocalInvocationIndex == 0u) weft_segment_store_total(args.carries, tile, total);
}
