// Heads that an ascending list of offsets names, once or more often, in a tile that one invocation runs over.
//
// Gives:    WeftCandidates weft_candidates(offsets, number, tile, limit)   the tile's elements; `number` of all offsets
//           weft_find_heads(), weft_mark_block()
//                   as in weft/serial/marks.glsl, but each element counts as often as offsets name it
// Macros:   those of weft/serial/tile.glsl, without WEFT_WIDE_INDEX
// Usage:    WeftCandidates candidates = weft_candidates(args.offsets, segments + 1u, tile, limit);
#ifndef WEFT_SERIAL_OFFSETS
#define WEFT_SERIAL_OFFSETS

#include "weft/serial/tile.glsl"
#include "weft/subgroup/search.glsl"

const uint weft_block = 128u;

struct WeftCandidates {
  uvec2 offsets;
  uint next, number;  // The first offset that is not below these elements, and the number of all.
  uint index, count;
  uint heads;  // 0: no element is a head unless an offset names it.
};

WeftCandidates weft_candidates(uvec2 offsets, uint number, uint tile, uint limit) {
  uint start = tile * weft_tile_size();
  return WeftCandidates(offsets, weft_lower_bound(offsets, 0u, number, start), number, start, limit, 0u);
}

uvec2 weft_find_heads(WeftCandidates c) {
  uint end = weft_lower_bound(c.offsets, c.next, c.number, c.index + c.count);
  return uvec2(end - c.next, end > c.next ? weft_load_index(c.offsets, end - 1u) - c.index + 1u : 0u);
}

uint weft_mark_block(inout WeftCandidates c, inout uint marks[weft_block]) {
  uint count = min(c.count, weft_block);
  for (uint i = 0u; i < weft_block; ++i) marks[i] = 0u;
  while (c.next < c.number) {
    uint at = weft_load_index(c.offsets, c.next) - c.index;
    if (at >= count) break;
    ++c.next;
    if (++marks[at] < 64u) continue;
    // Empty segments, perhaps a great many.
    uint after = weft_lower_bound(c.offsets, c.next, c.number, c.index + at + 1u);
    marks[at] += after - c.next;
    c.next = after;
  }
  c.index += count;
  c.count -= count;
  return count;
}

#endif
