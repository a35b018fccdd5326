#version 460
// First of the three dispatches of reduce-then-scan: the total of each tile, in whole words.
//
// Inputs:  `count` elements at source; one workgroup for each tile. Totals go to carries.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in scan.comp. scan_spine.comp runs in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tile_carry.glsl"
#include "weft/kernels/scan/scan_tile.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/reduce.glsl"

void main() {
  WeftExtent extent = weft_scan_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_scan_tile(x, tile, weft_tile_limit(extent, tile));
  T total = weft_identity();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    total = weft_combine(total, weft_subgroup_reduce(weft_pack_reduce(x[row])));
  }
  total = weft_workgroup_reduce_parts(total);
  if (gl_LocalInvocationIndex == 0u) weft_store_total(args.carries, tile, total);
}
