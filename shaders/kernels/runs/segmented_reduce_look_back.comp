#version 460
// Segmented reduction in one pass: what the elements of each segment come to; for keys also the first key of each segment,
// and how many segments there are.
//
// Inputs:  `count` elements at source, and where segments start (weft/kernels/runs/segments.glsl); ticket and carries (the
//          tiles' states) in memory that was set to zero. With offsets, the totals of empty segments are not written.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers; totals and keys are gathered in workgroup memory,
//          a few rows at a time, and written once.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_LOOK_BACK
#define WEFT_STAGED
#include "weft/kernels/runs/segments.glsl"

#include "weft/kernels/runs/segmented_reduce.glsl"

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  WeftTileHeads heads = weft_load_heads(masks, tile, limit);
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  WeftSegment carry = weft_segment_look_back(WeftTileState(args.carries), tile, total);
  weft_store_totals(x, masks, before, heads, tile, total, carry, tile + 1u == extent.tiles);
}
