#version 460
// Last of the three dispatches of a segmented scan without waiting: scans each tile, starting from what the tiles before
// it come to.
//
// Inputs:  `count` elements at source, and where segments start (weft/kernels/runs/segments.glsl); at carries, from
//          scan_spine.comp, what the tiles before each one come to; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs. In place works: a tile is read before it is written, and by one workgroup.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments.glsl"

#include "weft/kernels/runs/segmented_scan.glsl"

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
  weft_finish_scan(x, masks, before, weft_load_segment(args.carries, tile), tile, limit);
}
