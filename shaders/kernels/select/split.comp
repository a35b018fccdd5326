#version 460
// Split: the elements that one expression selects, those that another does, and with WEFT_THREE_WAY the others, each in
// their order in an output of their own; and their numbers. In one pass with WEFT_LOOK_BACK, otherwise the last of
// three dispatches.
//
// Inputs:  `count` elements at source; ticket and carries of weft/device/tile_carry.glsl.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers, gathered in workgroup memory and written.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/split.glsl"

void main() {
  WeftExtent extent = weft_split_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint first[WEFT_ROWS], second[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_load_split(x, first, second, before, tile, limit);
  weft_stage_split(x, first, second, before, total, limit);
  WeftIndexPair carry = weft_pair_carry(args.carries, tile, weft_index_pair(total & 0xFFFFu, total >> 16));
#ifndef WEFT_LOOK_BACK
  barrier();
#endif
  weft_store_split(x, second, before, total, tile, tile + 1u == extent.tiles, limit, carry);
}
