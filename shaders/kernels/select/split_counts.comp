#version 460
// First of the three dispatches of a split without waiting: how many of each tile's elements go to each output.
//
// Inputs:  `count` elements at source; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, the same as in split_tiles.comp. scan_spine.comp comes in between.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element.glsl"

#include "weft/kernels/select/split.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer TileCounts { WeftIndexPair tile[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  TileCounts counts;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;

  T x[WEFT_ROWS][WEFT_PACK];
  uint first[WEFT_ROWS], second[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_load_split(x, first, second, before, args.source, args.options, tile, weft_tile_limit(extent, tile));
  if (gl_LocalInvocationIndex == 0u) args.counts.tile[tile] = weft_index_pair(total & 0xFFFFu, total >> 16);
}
