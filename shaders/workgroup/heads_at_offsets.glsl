// Heads given as offsets: the elements of a tile that an ascending list of indices names, once or more often.
//
// Gives:    WeftOffsetRange weft_head_rows_at(offsets, number, tile, limit, out masks)
//                   bit k for element k of this lane's pack; returns the range of offsets that name elements of the
//                   tile
//           WeftOffsetRange weft_head_rows_from(offsets, number, WeftIndex start, limit, out masks)
//                   the same for a tile that starts with that element
//           WeftIndex weft_run_of(offsets, range, distinct, mask, heads, pack, k)
//                   the index of the last offset that is not above element k of a pack. `pack` is the index of its
//                   first element; `heads` are in the tile before the pack; `distinct`: the range has
//                   one offset for each head
// Macros:   those of weft/workgroup/tile.glsl
// Usage:    uint masks[WEFT_ROWS];
//           WeftOffsetRange range = weft_head_rows_at(args.offsets, number, tile, limit, masks);
//
// A subgroup finds the tile's offsets by searching with all its lanes. Then invocations read them side by side
// and set bits in workgroup memory, one for each element. If a tile has more offsets than elements, as with many empty
// segments, each element is searched for in the offsets instead, so no workgroup reads all of them.
//
// All invocations of the workgroup call it together. Two barriers.
#ifndef WEFT_WORKGROUP_HEADS_AT_OFFSETS
#define WEFT_WORKGROUP_HEADS_AT_OFFSETS

#include "weft/subgroup/search.glsl"
#include "weft/workgroup/select.glsl"

shared WeftOffsetRange weft_tile_offsets;
shared uint weft_head_bits[gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK) / 32];

WeftIndex weft_tile_start(uint tile) { return weft_index(weft_multiply(weft_wide(tile), weft_tile_size())); }

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

WeftOffsetRange weft_head_rows_from(uvec2 offsets, WeftIndex number, WeftIndex start, uint limit,
                                    out uint masks[WEFT_ROWS]) {
  for (uint w = gl_LocalInvocationIndex; w < weft_head_bits.length(); w += gl_WorkGroupSize.x) weft_head_bits[w] = 0u;
  if (gl_SubgroupID == 0u) {
    WeftOffsetRange found = weft_subgroup_range(offsets, number, start, weft_add(start, weft_index(limit)));
    if (gl_SubgroupInvocationID == 0u) weft_tile_offsets = found;
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

WeftOffsetRange weft_head_rows_at(uvec2 offsets, WeftIndex number, uint tile, uint limit, out uint masks[WEFT_ROWS]) {
  return weft_head_rows_from(offsets, number, weft_tile_start(tile), limit, masks);
}

WeftIndex weft_run_of(uvec2 offsets, WeftOffsetRange range, bool distinct, uint mask, uint heads, WeftIndex pack,
                      uint k) {
  WeftIndex first_after = weft_add(range.first, weft_index(heads + uint(bitCount(mask & ((2u << k) - 1u)))));
  if (!distinct) {
    first_after = weft_lower_bound(offsets, range.first, range.end, weft_add(pack, weft_index(k + 1u)));
  }
  return weft_subtract(first_after, weft_index(1u));
}

#endif
