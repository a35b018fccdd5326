#version 460
// First of the three dispatches of run-length encoding without look-back: the number of runs that start in each tile,
// and the length of the last one there.
//
// Inputs:  `count` elements at source; one workgroup for each tile. Both go to carries, WEFT_SEGMENT_WORDS words a
//          tile.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in run_length.comp. scan_spine.comp runs in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/run_length.glsl"

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_take_runs(x, masks, before, tile, limit);
  WeftSegment runs = weft_tile_runs(masks, before, total, limit);
  if (gl_LocalInvocationIndex == 0u) weft_segment_store_total(args.carries, tile, runs);
}
