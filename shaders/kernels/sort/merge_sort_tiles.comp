#version 460
// First dispatch of a merge sort: sorts each tile, stably.
//
// Inputs:  `count` elements at source; with WEFT_VALUE_UNITS a value with each; one workgroup a tile.
//          With WEFT_SEGMENTS an ascending list of offsets, one more than there are segments; each segment is sorted on its
//          own, also what comes before the first offset and from the last one on.
// Output:  the sorted tiles; with WEFT_SEGMENTS, elements of segments that lie within one tile at `settled`, and unless
//          bounds is 0, for each tile where the segment starts that the element before it is of, and where the next one
//          starts, which may be beyond the elements.
// Tile:    workgroup size * WEFT_ROWS elements, sorted in registers and workgroup memory. In place works: a tile is
//          read before it is written, and by one workgroup.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/merge_sort.glsl"
#include "weft/workgroup/extent.glsl"
#include "weft/workgroup/tile_goals.glsl"
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
#ifdef WEFT_SEGMENTS
  uvec2 offsets;
  uvec2 bounds;
  WeftCount segments_on_device;
  uvec2 segments;
  uvec2 settled;
  uvec2 settled_values;
#endif
} args;

#ifdef WEFT_SEGMENTS
WeftIndex weft_offset_number() {
  bool on_device = weft_has(args.options, weft_second_count_on_device);
  return weft_index(weft_add(weft_count(args.segments, on_device, args.segments_on_device), 1u));
}

void weft_store_bounds(uint tile, WeftIndex number) {
  WeftIndex next = weft_tile_offsets.first, lower = weft_index(0u), upper = weft_last_index();
  if (weft_less(lower, next)) lower = weft_load_index(args.offsets, weft_subtract(next, weft_index(1u)));
  if (weft_less(next, number)) upper = weft_load_index(args.offsets, next);
  weft_store_index(args.bounds, weft_product(tile, 2u), lower);
  weft_store_index(args.bounds, weft_add(weft_product(tile, 2u), weft_index(1u)), upper);
}

// What segments within the tile hold; no merge moves that. weft_settled_places() says the same of it.
uvec2 weft_settled(WeftExtent extent, uint tile, WeftIndex first, uint limit) {
  uvec2 whole = weft_whole_segments(args.offsets, first, limit);
  return uvec2(tile > 0u ? whole.x : 0u, tile + 1u < extent.tiles ? whole.y : limit);
}
#endif

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
  uint heads = 0u;
#ifdef WEFT_SEGMENTS
  WeftIndex number = weft_offset_number();
  heads = weft_find_segments(args.offsets, number, first, limit);
  if (gl_LocalInvocationIndex == 0u && args.bounds != uvec2(0u)) weft_store_bounds(tile, number);
#endif
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) weft_tile_put(weft_tile_place(row), x[row], weft_tile_place(row));
  weft_workgroup_merge_sort(limit, heads);
  WeftGoals goals = weft_one_goal(args.destination);
#ifdef WEFT_SEGMENTS
  uvec2 settled = weft_settled(extent, tile, first, limit);
  goals = WeftGoals(args.destination, args.settled, settled.x, settled.y);
#endif
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_tile_place(row);
    if (place < limit) weft_store_to(weft_goal_of(goals, place), start, place, weft_tile_get(place));
  }
#ifdef WEFT_VALUE_UNITS
  WeftGoals value_goals = weft_one_goal(args.destination_values);
#ifdef WEFT_SEGMENTS
  value_goals = WeftGoals(args.destination_values, args.settled_values, settled.x, settled.y);
#endif
  weft_move_values(args.source_values, value_goals, weft_value_place(first), limit);
#endif
}
