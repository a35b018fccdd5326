#version 460
// Segmented prefix scan in one pass: each segment's elements are scanned as if it were alone.
//
// Inputs:  `count` elements at source, and where segments start (weft/kernels/runs/segments.glsl); ticket and carries (the
//          tiles' states) in memory that was set to zero.
// Tile:    workgroup size * WEFT_ROWS packs, held in registers from the only read to the only write. In place works.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_LOOK_BACK
#include "weft/kernels/runs/segments.glsl"

#include "weft/kernels/runs/segmented_scan.glsl"

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  weft_load_heads(masks, tile, limit);
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  WeftSegment carry = weft_segment_look_back(WeftTileState(args.carries), tile, total);
  weft_finish_scan(x, masks, before, carry, tile, limit);
}
