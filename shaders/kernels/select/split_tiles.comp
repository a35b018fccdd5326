#version 460
// Last of the three dispatches of a split without waiting: writes each tile's elements to their places.
//
// Inputs:  `count` elements at source; from scan_spine.comp the places where each tile's elements start in the first and
//          the second output; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs, read into registers, gathered in workgroup memory and written.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element.glsl"

#include "weft/kernels/select/split.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer TilePlaces { WeftIndexPair tile[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  WeftSplitOutputs outputs;
  WeftCount count_on_device;
  uvec2 count;
  TilePlaces places;
  uint options;
  uint unused;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint first[WEFT_ROWS], second[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_load_split(x, first, second, before, args.source, args.options, tile, limit);
  weft_stage_split(x, first, second, before, total, limit);
  barrier();
  weft_store_split(x, second, before, total, tile, tile + 1u == extent.tiles, limit, args.places.tile[tile],
                   args.outputs);
}
