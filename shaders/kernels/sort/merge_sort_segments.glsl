// Segments in the first dispatch of a merge sort, in place of the functions for one sequence in merge_sort_tiles.comp.
//
// Gives:    void weft_empty_lists()   clears args.list_words words at args.lists, the WeftBusyMerges of merge_pair.glsl
//           uint weft_find_heads(extent, tile, first, limit)   the heads of this invocation's elements, for
//                   weft_workgroup_merge_sort(). `first` is the index of the tile's first element. Unless args.bounds
//                   is 0, also stores two indices for the tile: the head of the segment that the element before the
//                   tile belongs to, and the next head, which may be past all elements
//           uvec2 weft_settled_elements(extent, tile, first, limit)
//                   begin and end of the tile's elements that only this dispatch moves: those of segments within the
//                   tile. weft_settled_range() of merge_segments.glsl knows them too
#ifndef WEFT_KERNELS_MERGE_SORT_SEGMENTS
#define WEFT_KERNELS_MERGE_SORT_SEGMENTS

#include "weft/workgroup/tile_segments.glsl"

void weft_empty_lists() {
  for (uint word = gl_LocalInvocationIndex; word < args.list_words; word += gl_WorkGroupSize.x) {
    weft_store_word(args.lists, 0u, word, 0u);
  }
}

void weft_store_bounds(uint tile, WeftIndex number) {
  WeftIndex next = weft_tile_offsets.first, lower = weft_index(0u), upper = weft_last_index();
  if (weft_less(lower, next)) lower = weft_load_index(args.offsets, weft_subtract(next, weft_index(1u)));
  if (weft_less(next, number)) upper = weft_load_index(args.offsets, next);
  weft_store_index(args.bounds, weft_product(tile, 2u), lower);
  weft_store_index(args.bounds, weft_add(weft_product(tile, 2u), weft_index(1u)), upper);
}

uint weft_find_heads(WeftExtent extent, uint tile, WeftIndex first, uint limit) {
  uvec2 segments = weft_second_count(args.segments, args.options, args.segments_on_device);
  WeftIndex number = weft_index(weft_add(segments, 1u));
  uint heads = weft_find_segments(args.offsets, number, first, limit);
  if (gl_LocalInvocationIndex == 0u && args.bounds != uvec2(0u)) weft_store_bounds(tile, number);
  return heads;
}

uvec2 weft_settled_elements(WeftExtent extent, uint tile, WeftIndex first, uint limit) {
  uvec2 whole = weft_whole_segments(args.offsets, first, limit);
  return uvec2(tile > 0u ? whole.x : 0u, tile + 1u < extent.tiles ? whole.y : limit);
}

#endif
