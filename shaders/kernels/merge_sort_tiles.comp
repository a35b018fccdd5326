#version 460
// First dispatch of a merge sort: sorts each tile, stably.
//
// Inputs:  `count` elements at source; with WEFT_VALUE_UNITS a value with each; one workgroup a tile.
// Tile:    workgroup size * WEFT_ROWS elements, sorted in registers and workgroup memory. In place works: a tile is
//          read before it is written, and by one workgroup.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/options.glsl"
#include "weft/workgroup/merge_sort.glsl"
#include "weft/workgroup/extent.glsl"
#ifdef WEFT_VALUE_UNITS
#include "weft/workgroup/tile_values.glsl"
#endif

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 source_values;
  uvec2 destination_values;
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
  uint limit = weft_tile_limit(extent, tile);
  WeftIndex first = weft_product(tile, weft_tile_size());
  WeftPlace start = weft_place(first);

  T x[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_tile_place(row);
    x[row] = weft_zero();
    if (place < limit) x[row] = weft_load_from(args.source, start, place);
  }
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) weft_tile_put(weft_tile_place(row), x[row], weft_tile_place(row));
  weft_workgroup_merge_sort(limit);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_tile_place(row);
    if (place < limit) weft_store_to(args.destination, start, place, weft_tile_get(place));
  }
#ifdef WEFT_VALUE_UNITS
  weft_move_values(args.source_values, args.destination_values,
                   weft_value_place(first), limit);
#endif
}
