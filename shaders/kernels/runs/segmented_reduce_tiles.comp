#version 460
// Last of the three dispatches of a segmented reduction without waiting: writes the totals of the segments that end in
// each tile; for keys also the first key of each segment, and how many segments there are.
//
// Inputs:  `count` elements at source, and where segments start (weft/kernels/runs/segments.glsl); at carries, from
//          scan_spine.comp, what the tiles before each one come to; one workgroup for each tile. With offsets, the totals
//          of empty segments are not written.
// Tile:    workgroup size * WEFT_ROWS packs, read into registers; totals and keys are gathered in workgroup memory, a few
//          rows at a time, and written once.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_STAGED
#include "weft/kernels/runs/segments.glsl"

#include "weft/kernels/runs/segmented_reduce.glsl"

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  WeftTileHeads heads = weft_load_heads(masks, tile, limit);
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  WeftSegment carry = weft_load_segment(args.carries, tile);
  weft_store_totals(x, masks, before, heads, tile, total, carry, tile + 1u == extent.tiles);
}
