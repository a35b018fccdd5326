#version 460
// Last dispatch of a pass of a radix sort without look-back: moves each key, and its value, to its rank.
//
// Inputs:  `count` keys; counts[digit * tiles + tile], scanned: the output offset of the tile's keys of that digit.
// Tile:    workgroup size * WEFT_ROWS keys, read once into registers, sorted in workgroup memory and written in runs of
//          equal digits.
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
  WeftExtent extent = weft_sort_extent(args.sort);
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  uvec2 key[WEFT_ROWS];
  uint digit[WEFT_ROWS], rank[WEFT_ROWS];
  uint count[WEFT_OWN_DIGITS], first[WEFT_OWN_DIGITS];
  weft_load_digits(args.sort, tile, limit, key, digit);
  weft_count_tile(digit, count);
  weft_rank_tile(digit, count, first, rank);
  weft_stage_keys(0, key, rank);
  uvec2 value[WEFT_ROWS];
  weft_load_values_beside(args.sort, tile, limit, value);
  weft_stage_values_beside(0, value, rank);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    uint own = weft_own_digit(k);
    if (own >= WEFT_DIGITS) continue;
    weft_digit_origin[own] =
        weft_subtract(weft_digit_offsets(args.counts, args.tiles, own).tile[tile], weft_index(first[k]));
  }
  barrier();
  weft_scatter_tile(args.sort, tile, limit, key, value, rank);
}
