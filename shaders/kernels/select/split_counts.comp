#version 460
// First of the three dispatches of a split without look-back: the numbers of each tile's elements for both outputs.
//
// Inputs:  `count` elements at source; one workgroup for each tile. Numbers go to carries.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in split.comp. scan_spine.comp runs in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/split.glsl"

void main() {
  WeftExtent extent = weft_split_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;

  T x[WEFT_ROWS][WEFT_PACK];
  uint first[WEFT_ROWS], second[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_load_split(x, first, second, before, tile, weft_tile_limit(extent, tile));
  if (gl_LocalInvocationIndex == 0u) {
    weft_pair_store_total(args.carries, tile, weft_index_pair(total & 0xFFFFu, total >> 16));
  }
}
