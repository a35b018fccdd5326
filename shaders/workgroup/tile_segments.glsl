// The segments of a tile whose invocations hold WEFT_ROWS consecutive elements each.
//
// Gives:    uint weft_find_segments(offsets, number, WeftIndex start, uint limit)
//                   for the tile of `limit` elements from `start` on: the heads among this invocation's elements, bit k
//                   for element k
//           uvec2 weft_segment_at(uint invocation)
//                   in the tile, the head of the segment that contains the element before that invocation's first one,
//                   and the next head, which may be that first element
//           WeftOffsetRange weft_tile_offsets        the offsets of elements of the tile
//           uvec2 weft_whole_segments(offsets, WeftIndex start, uint limit)
//                   the tile's first head, or `limit`, and its last head, or 0
//           uint weft_longest_part                   elements of the longest part of a segment in the tile; WEFT_ROWS +
//                                                    1 if none is longer
// Macros:   WEFT_ROWS   at most 32
//           those of weft/subgroup/search.glsl
// Usage:    uint heads = weft_find_segments(args.offsets, number, start, limit);
//           barrier();
//           uvec2 segment = weft_segment_at(invocation);
//
// Two subgroups search all offsets for those of the tile, and each invocation searches these for its own. Workgroup
// memory of a word for each invocation. All invocations of the workgroup call weft_find_segments() together; it has one
// barrier, and another must follow before the other functions are called.
#ifndef WEFT_WORKGROUP_TILE_SEGMENTS
#define WEFT_WORKGROUP_TILE_SEGMENTS

#include "weft/subgroup/search.glsl"

shared WeftOffsetRange weft_tile_offsets;
shared uint weft_longest_part;
shared uint weft_segments_at[gl_WorkGroupSize.x];  // Two indices in the tile, of 16 bits each.

uvec2 weft_segment_at(uint invocation) {
  uint both = weft_segments_at[invocation];
  return uvec2(both & 0xFFFFu, both >> 16);
}

// The index of the offset's element in the tile that starts at `start`, or `limit`.
uint weft_index_of_offset(uvec2 offsets, WeftIndex offset, WeftIndex start, uint limit) {
  if (!weft_less(offset, weft_tile_offsets.end)) return limit;
  return weft_low(weft_subtract(weft_load_index(offsets, offset), start));
}

uvec2 weft_whole_segments(uvec2 offsets, WeftIndex start, uint limit) {
  WeftOffsetRange range = weft_tile_offsets;
  uint last = 0u;
  if (weft_less(range.first, range.end)) {
    last = weft_index_of_offset(offsets, weft_subtract(range.end, weft_index(1u)), start, limit);
  }
  return uvec2(weft_segment_at(0u).y, last);
}

uint weft_find_segments(uvec2 offsets, WeftIndex number, WeftIndex start, uint limit) {
  if (gl_LocalInvocationIndex == 0u) weft_longest_part = WEFT_ROWS + 1u;
  // Two subgroups search at the same time, where there are two.
  for (uint bound = gl_SubgroupID; bound < 2u; bound += gl_NumSubgroups) {
    WeftIndex element = bound == 0u ? start : weft_add(start, weft_index(limit));
    WeftIndex found = weft_subgroup_lower_bound(offsets, number, element);
    if (gl_SubgroupInvocationID == 0u && bound == 0u) weft_tile_offsets.first = found;
    if (gl_SubgroupInvocationID == 0u && bound == 1u) weft_tile_offsets.end = found;
  }
  barrier();
  WeftOffsetRange range = weft_tile_offsets;
  uint mine = gl_LocalInvocationIndex * WEFT_ROWS, last = min(mine + WEFT_ROWS, limit);
  WeftIndex offset = weft_lower_bound(offsets, range.first, range.end, weft_add(start, weft_index(min(mine, limit))));
  uint before = 0u, head = weft_index_of_offset(offsets, offset, start, limit);
  if (weft_less(range.first, offset)) {
    before = weft_index_of_offset(offsets, weft_subtract(offset, weft_index(1u)), start, limit);
  }
  weft_segments_at[gl_LocalInvocationIndex] = before | head << 16;
  uint heads = 0u, part = before, longest = 0u;  // The invocation that sees a part's end measures it.
  while (head < last) {
    longest = max(longest, head - part);
    part = head;
    heads |= 1u << (head - mine);
    offset = weft_add(offset, weft_index(1u));
    head = weft_index_of_offset(offsets, offset, start, limit);
    if (head > part) continue;
    // Empty segments, perhaps many.
    offset = weft_lower_bound(offsets, offset, range.end, weft_add(start, weft_index(part + 1u)));
    head = weft_index_of_offset(offsets, offset, start, limit);
  }
  if (head == last) longest = max(longest, head - part);
  if (longest > WEFT_ROWS + 1u) atomicMax(weft_longest_part, longest);
  return heads;
}

#endif
