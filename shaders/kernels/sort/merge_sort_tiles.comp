#version 460
// First dispatch of a merge sort: sorts each tile, stably.
//
// Inputs:  `count` elements at source; with WEFT_VALUE_UNITS a value for each; one workgroup for each tile. With
//          WEFT_SEGMENTS an ascending list of offsets, one more than there are segments. Each segment is sorted on its
//          own, and so are the elements before the first offset and from the last one on.
// Output:  the sorted tiles at destination. With WEFT_SEGMENTS, elements of segments within one tile go to `settled`,
//          bounds are stored, and lists of merges are emptied: weft/kernels/sort/merge_sort_segments.glsl.
// Tile:    workgroup size * WEFT_ROWS elements, sorted in registers and workgroup memory. In place works: a tile is
//          read before it is written, and by one workgroup.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/sort/merge_sort_arguments.glsl"
#include "weft/workgroup/merge_sort.glsl"
#include "weft/workgroup/extent.glsl"
#include "weft/workgroup/tile_goals.glsl"
#ifdef WEFT_VALUE_UNITS
#include "weft/workgroup/tile_values.glsl"
#endif

#ifdef WEFT_SEGMENTS
#include "weft/kernels/sort/merge_sort_segments.glsl"
#else
void weft_empty_lists() {}
uint weft_find_heads(WeftExtent extent, uint tile, WeftIndex first, uint limit) { return 0u; }
uvec2 weft_settled_elements(WeftExtent extent, uint tile, WeftIndex first, uint limit) { return uvec2(0u); }
#endif

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile == 0u) weft_empty_lists();  // Without elements too: indirect dispatches read the lists.
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftIndex first = weft_product(tile, weft_tile_size());
  WeftBlockOffset start = weft_element_offset(first);

  T x[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_tile_index(row);
    x[row] = weft_zero();
    if (index < limit) x[row] = weft_load_from(args.source, start, index);
  }
  uint heads = weft_find_heads(extent, tile, first, limit);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    weft_tile_put(weft_tile_index(row), x[row], weft_tile_index(row));
  }
  weft_workgroup_merge_sort(limit, heads);

  uvec2 settled = weft_settled_elements(extent, tile, first, limit);
  WeftGoals goals = WeftGoals(args.destination, args.settled, settled.x, settled.y);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_tile_index(row);
    if (index < limit) weft_store_to(weft_goal_of(goals, index), start, index, weft_tile_get(index));
  }
#ifdef WEFT_VALUE_UNITS
  WeftGoals value_goals = WeftGoals(args.destination_values, args.settled_values, settled.x, settled.y);
  weft_move_values(args.source_values, value_goals, weft_block_offset(first, WEFT_VALUE_UNITS, WEFT_VALUE_UNIT_BYTES),
                   limit);
#endif
}
