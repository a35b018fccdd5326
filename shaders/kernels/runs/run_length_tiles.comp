#version 460
// Last of the three dispatches of run-length encoding without waiting: writes each tile's runs to their places.
//
// Inputs:  `count` elements at source; at carries, from scan_spine.comp, what the tiles before each one come to; one
//          workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, read into registers; heads and their places are gathered in workgroup
//          memory, a few rows at a time, and written once.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/run_length.glsl"
#include "weft/kernels/runs/run_length_store.glsl"

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_take_runs(x, masks, before, tile, limit);
  WeftSegment runs = weft_tile_runs(masks, before, total, limit), carry = weft_load_segment(args.carries, tile);
  weft_store_runs(x, masks, before, tile, limit, runs, carry, tile + 1u == extent.tiles);
}
