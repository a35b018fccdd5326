#version 460
// First of the three dispatches of reduce-then-scan: totals[tile] = what the tile's elements come to, in whole words.
//
// Inputs:  `count` elements at source; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in scan_tiles.comp.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/reduce.glsl"
#include "weft/workgroup/transform.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 totals;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
  uint unused;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID,
                   weft_tile_limit(extent, tile), weft_identity());
  T total = weft_identity();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    total = weft_combine(total, weft_subgroup_reduce(weft_pack_reduce(x[row])));
  }
  total = weft_workgroup_reduce_parts(total);
  if (gl_LocalInvocationIndex == 0u) weft_store_in_words(args.totals, tile, total);
}
