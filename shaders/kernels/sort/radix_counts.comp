#version 460
// First part of a pass of a radix sort without waiting: how many keys of each tile have each digit.
//
// Inputs:  `count` keys; one workgroup for each of `tiles` tiles, those beyond the count too.
// Result:  counts[digit * tiles + tile], whose exclusive scan radix_scatter.comp takes.
// Tile:    workgroup size * WEFT_ROWS keys, the same as in radix_scatter.comp.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/sort/radix_tile.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/digit_places.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftSortArguments sort;
  uvec2 counts;
  uint tiles;
} args;

void main() {
  uint tile = weft_group_index();
  if (tile >= args.tiles) return;
  WeftExtent extent = weft_sort_extent(args.sort);
  uint limit = weft_tile_limit(extent, tile);
  uvec2 key[WEFT_ROWS];
  uint digit[WEFT_ROWS], count[WEFT_OWN_DIGITS];
  weft_load_digits(args.sort, tile, limit, key, digit);
  weft_count_tile(digit, count);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    uint own = weft_own_digit(k);
    if (own >= WEFT_DIGITS) continue;
    uint there = weft_count_within(count, k, args.sort.mask, limit);
    weft_tile_places(args.counts, args.tiles, own).tile[tile] = weft_index(there);
  }
}
