#version 460
// First of the three dispatches of run-length encoding without waiting: how many runs start in each tile, and how long
// the last of them is there.
//
// Inputs:  `count` elements at source; one workgroup for each tile; WEFT_SEGMENT_WORDS words for each tile at carries.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in run_length_tiles.comp. scan_spine.comp comes in between.
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
  if (gl_LocalInvocationIndex == 0u) weft_store_segment(args.carries, tile, runs);
}
