// Heads given as offsets: which elements of a tile the numbers of an ascending list name, however often.
//
// Gives:    WeftIndex weft_lower_bound(offsets, first, last, WeftIndex element)
//                   the first of offsets [first, last) that is not below `element`, or `last`; for one invocation
//           WeftOffsetRange weft_head_rows_at(offsets, number, tile, limit, out masks)
//                   bit k for element k of this lane's pack; returns which offsets name elements of the tile
// Macros:   those of weft/workgroup/tile.glsl
// Usage:    uint masks[WEFT_ROWS];
//           WeftOffsetRange range = weft_head_rows_at(args.offsets, number, tile, limit, masks);
//
// A subgroup finds the tile's offsets, searching by as many parts as it has lanes; then they are read side by side and
// mark bits in workgroup memory, one for each element. Where more offsets than elements fall into a tile, as with many
// empty segments, each element is searched for instead, so that no workgroup goes through all of them.
//
// All invocations of the workgroup call it together. Two barriers.
#ifndef WEFT_WORKGROUP_HEADS_AT_OFFSETS
#define WEFT_WORKGROUP_HEADS_AT_OFFSETS

#include "weft/subgroup/lanes.glsl"
#include "weft/thread/indices.glsl"
#include "weft/workgroup/select.glsl"

struct WeftOffsetRange {
  WeftIndex first, end;
};

shared WeftOffsetRange weft_tile_offsets;
shared uint weft_head_bits[gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK) / 32];

WeftIndex weft_tile_start(uint tile) { return weft_index(weft_multiply(weft_wide(tile), weft_tile_size())); }

WeftIndex weft_lower_bound(uvec2 offsets, WeftIndex first, WeftIndex last, WeftIndex element) {
  while (weft_less(first, last)) {
    WeftIndex middle = weft_add(first, weft_half(weft_subtract(last, first)));
    if (weft_less(weft_load_index(offsets, middle), element)) {
      first = weft_add(middle, weft_index(1u));
    } else {
      last = middle;
    }
  }
  return first;
}

// The same over all offsets, by the lanes of a subgroup together.
WeftIndex weft_subgroup_lower_bound(uvec2 offsets, WeftIndex number, WeftIndex element) {
  uint lanes = weft_lanes(), rest;
  WeftIndex first = weft_index(0u), last = number;
  while (weft_less(first, last)) {
    // Lane l looks at first + l * step; those that are below the element come first.
    uvec2 step = weft_add(weft_divide(weft_wide(weft_subtract(last, first)), lanes, rest), 1u);
    WeftIndex probe = weft_add(first, weft_index(weft_multiply(step, gl_SubgroupInvocationID)));
    bool below = weft_less(probe, last) && weft_less(weft_load_index(offsets, probe), element);
    uint lanes_below = subgroupBallotBitCount(subgroupBallot(below));
    WeftIndex end = weft_add(first, weft_index(weft_multiply(step, lanes_below)));
    if (lanes_below > 0u) {
      first = weft_add(weft_subtract(end, weft_index(step)), weft_index(1u));
    }
    if (weft_less(end, last)) last = end;
  }
  return first;
}

void weft_mark_heads(uvec2 offsets, WeftOffsetRange range, WeftIndex start) {
  uint number = weft_wide(weft_subtract(range.end, range.first)).x;
  for (uint j = gl_LocalInvocationIndex; j < number; j += gl_WorkGroupSize.x) {
    uint element = weft_wide(weft_subtract(weft_load_index(offsets, weft_add(range.first, weft_index(j))), start)).x;
    atomicOr(weft_head_bits[element / 32u], 1u << (element % 32u));
  }
}

uint weft_search_pack(uvec2 offsets, WeftOffsetRange range, WeftIndex first) {
  uint mask = 0u;
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    WeftIndex element = weft_add(first, weft_index(uint(k)));
    WeftIndex found = weft_lower_bound(offsets, range.first, range.end, element);
    if (weft_less(found, range.end) && weft_load_index(offsets, found) == element) mask |= 1u << uint(k);
  }
  return mask;
}

WeftOffsetRange weft_head_rows_at(uvec2 offsets, WeftIndex number, uint tile, uint limit, out uint masks[WEFT_ROWS]) {
  WeftIndex start = weft_tile_start(tile);
  for (uint w = gl_LocalInvocationIndex; w < weft_head_bits.length(); w += gl_WorkGroupSize.x) weft_head_bits[w] = 0u;
  if (gl_SubgroupID == 0u) {
    WeftIndex first = weft_subgroup_lower_bound(offsets, number, start);
    WeftIndex end = weft_subgroup_lower_bound(offsets, number, weft_add(start, weft_index(limit)));
    if (gl_SubgroupInvocationID == 0u) weft_tile_offsets = WeftOffsetRange(first, end);
  }
  barrier();
  WeftOffsetRange range = weft_tile_offsets;
  bool few = !weft_less(weft_index(weft_tile_size()), weft_subtract(range.end, range.first));
  if (few) weft_mark_heads(offsets, range, start);
  barrier();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
    if (few) {
      masks[row] = (weft_head_bits[first / 32u] >> (first % 32u)) & ((1u << WEFT_PACK) - 1u);
    } else {
      masks[row] = weft_search_pack(offsets, range, weft_add(start, weft_index(first)));
    }
    masks[row] &= weft_all_in_pack(gl_SubgroupID, row, limit);
  }
  return range;
}

#endif
