#version 460
// Merges each short segment that straddles two of the first runs of a segmented sort, before the merges of whole runs.
//
// Inputs:  the runs and bounds of merge_sort_tiles.comp; with WEFT_VALUE_UNITS a value for each element;
//          WEFT_BOUND_INVOCATIONS invocations for each bound between two runs.
// Output:  these segments at destination, where no merge moves them. The two indices of such a bound become those of
//          the bound: no element lies between. Longer segments are left to the merges.
// Tile:    WEFT_BOUND_INVOCATIONS * WEFT_ROWS elements for each bound, in workgroup memory. An element's index is that
//          in its own part of the segment, plus the number of elements of the other part that precede it. In place
//          works: all elements are read before any is written.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/merge_pair.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/thread/indices.glsl"
#include "weft/thread/comparison.glsl"
#include "weft/workgroup/tile_memory.glsl"
#ifdef WEFT_VALUE_UNITS
#include "weft/workgroup/tile_values.glsl"
#endif

struct Segment {
  WeftIndex start, bound;   // The indices of its first element, and of the second run's.
  uint count, first_count;  // Its elements, and those of the first run. None if it is long.
};

Segment short_segment(uint second_run) {
  WeftMergeCounts counts = weft_merge_counts();
  Segment segment = Segment(weft_index(0u), weft_index(0u), 0u, 0u);
  if (second_run * args.bound_tiles >= counts.extent.tiles) return segment;
  WeftIndex at = weft_product(second_run, 2u);
  segment.start = weft_load_index(args.bounds, at);
  segment.bound = weft_product(second_run * args.bound_tiles, weft_tile_size());
  WeftIndex end = weft_min(weft_load_index(args.bounds, weft_add(at, weft_index(1u))), counts.first);
  WeftIndex count = weft_subtract(end, segment.start);
  if (weft_less(weft_index(WEFT_BOUND_INVOCATIONS * WEFT_ROWS), count)) return segment;
  segment.count = weft_low(count);
  segment.first_count = weft_low(weft_subtract(segment.bound, segment.start));
  return segment;
}

// The index of element `index` among the merged ones. The segment's elements are in workgroup memory from `part` on.
uint merged_index(Segment segment, uint part, uint index, T x) {
  bool of_first = index < segment.first_count;
  uint low = of_first ? segment.first_count : 0u, high = of_first ? segment.count : segment.first_count;
  while (low < high) {
    uint middle = (low + high) / 2u;
    T y = weft_tile_get(part + middle);
    if (of_first ? weft_before(y, x) : !weft_before(x, y)) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return index + low - segment.first_count;
}

void main() {
  uint lane = gl_LocalInvocationIndex % WEFT_BOUND_INVOCATIONS, part = (gl_LocalInvocationIndex - lane) * WEFT_ROWS;
  uint bounds = gl_WorkGroupSize.x / WEFT_BOUND_INVOCATIONS;  // Of the workgroup.
  uint second_run = weft_group_index() * bounds + gl_LocalInvocationIndex / WEFT_BOUND_INVOCATIONS + 1u;
  Segment segment = short_segment(second_run);
  WeftBlockOffset start = weft_element_offset(segment.start);
  for (uint index = lane; index < segment.count; index += WEFT_BOUND_INVOCATIONS) {
    weft_tile_put(part + index, weft_load_from(args.first, start, index), index);
  }
  barrier();

  for (uint index = lane; index < segment.count; index += WEFT_BOUND_INVOCATIONS) {
    T x = weft_tile_get(part + index);
    uint merged = merged_index(segment, part, index, x);
    weft_store_to(args.destination, start, merged, x);
    weft_tile_put_source(part + merged, index);
  }
  if (lane == 0u && segment.count > 0u) {
    weft_store_index(args.bounds, weft_product(second_run, 2u), segment.bound);
    weft_store_index(args.bounds, weft_add(weft_product(second_run, 2u), weft_index(1u)), segment.bound);
  }
#ifdef WEFT_VALUE_UNITS
  barrier();
  WeftBlockOffset value = weft_block_offset(segment.start, WEFT_VALUE_UNITS, WEFT_VALUE_UNIT_BYTES);
  weft_move_values(args.first_values, weft_one_goal(args.destination_values), value,
                   WeftTilePart(part, lane, WEFT_BOUND_INVOCATIONS), segment.count);
#endif
}
