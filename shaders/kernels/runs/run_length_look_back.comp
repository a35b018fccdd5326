#version 460
// Run-length encoding in one pass: the first element of each run, its length, and how many runs there are.
//
// Inputs:  `count` elements at source; ticket and carries (the tiles' states) in memory that was set to zero.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers; heads and their places are gathered in workgroup
//          memory, a few rows at a time, and written once.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_LOOK_BACK
#include "weft/kernels/runs/run_length.glsl"
#include "weft/kernels/runs/run_length_store.glsl"

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_take_runs(x, masks, before, tile, limit);
  WeftSegment runs = weft_tile_runs(masks, before, total, limit);
  WeftSegment carry = weft_segment_look_back(WeftTileState(args.carries), tile, runs);
  weft_store_runs(x, masks, before, tile, limit, runs, carry, tile + 1u == extent.tiles);
}
