#version 460
// Split, as shaders/kernels/select/split.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, read to count the elements of both outputs, and again from the cache for each output.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/split_serial.glsl"

void store_side(uvec2 destination, WeftIndex rank, WeftCandidates candidates, uint side, uint number, bool last) {
  candidates.side = side;
  weft_store_selected(weft_element_address(destination, T_BYTES, rank), candidates, number);
  if (last) weft_write_split_count(side, weft_add(rank, weft_index(number)));
}

void main() {
  WeftExtent extent = weft_split_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  bool last = tile + 1u == extent.tiles;

  WeftCandidates candidates = weft_candidates(args.source, uvec2(0u), tile, weft_tile_limit(extent, tile));
  uvec2 totals = weft_count_sides(candidates);
  WeftIndexPair carry = weft_pair_carry(args.carries, tile, weft_index_pair(totals.x, totals.y));
  store_side(args.first, weft_first(carry), candidates, 0u, totals.x, last);
  store_side(args.second, weft_second(carry), candidates, 1u, totals.y, last);
#ifdef WEFT_THREE_WAY
  WeftIndex rest = weft_subtract(weft_start_of_tile(tile), weft_add(weft_first(carry), weft_second(carry)));
  store_side(args.third, rest, candidates, 2u, candidates.count - totals.x - totals.y, last);
#endif
}
