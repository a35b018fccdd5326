#version 460
// First dispatch of a pass of a radix sort without look-back: the number of keys of each digit in each tile.
//
// Inputs:  `count` keys; one workgroup for each of `tiles` tiles, including those past the count.
// Result:  counts[digit * tiles + tile], whose exclusive scan radix_scatter.comp takes.
// Tile:    workgroup size * WEFT_ROWS keys, the same as in radix_scatter.comp.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/sort/radix_tile.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/digit_offsets.glsl"

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
    weft_digit_offsets(args.counts, args.tiles, own).tile[tile] = weft_index(there);
  }
}
