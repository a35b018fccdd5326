#version 460
// A radix sort of at most one tile of keys: all passes over digits in one workgroup.
//
// Inputs:  `count` keys; with WEFT_UNITS a value for each, of that many units of WEFT_UNIT_BYTES. Sorts by bits
//          [sort.begin, end), `width` in each pass but the last.
// Tile:    workgroup size * WEFT_ROWS keys, read once into registers, and moved through workgroup memory in each pass.
//          In place works: all keys are read before any is written, and so is each unit of all values.
// After:   Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for Manycore GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/sort/one_tile_arguments.glsl"
#include "weft/kernels/sort/radix_tile.glsl"

// Moves each element's bits to its rank.
void move_to_ranks(uint bytes, inout uvec2 bits[WEFT_ROWS], uint rank[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) weft_stage_bits(0u, bytes, rank[row], bits[row]);
  barrier();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    bits[row] = weft_staged_bits(0u, bytes, weft_pack_index(gl_SubgroupID, row));
  }
  barrier();
}

#ifdef WEFT_UNITS
void move_values(uvec2 source[WEFT_ROWS], uint limit) {
  for (uint unit = 0u; unit < WEFT_UNITS; ++unit) {
    uvec2 bits[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      bits[row] = uvec2(0u);
      if (weft_pack_index(gl_SubgroupID, row) >= limit) continue;
      bits[row] = weft_load_bits(args.sort.values, WEFT_UNIT_BYTES, source[row].x * WEFT_UNITS + unit);
    }
    barrier();
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = weft_pack_index(gl_SubgroupID, row);
      if (index >= limit) continue;
      weft_store_bits(args.sort.values_out, WEFT_UNIT_BYTES, index * WEFT_UNITS + unit, bits[row]);
    }
  }
}
#endif

void main() {
  uint limit = weft_tile_limit(weft_sort_extent(args.sort), 0u);
  uvec2 key[WEFT_ROWS], source[WEFT_ROWS];
  uint digit[WEFT_ROWS], rank[WEFT_ROWS];
  uint count[WEFT_OWN_DIGITS], first[WEFT_OWN_DIGITS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    key[row] = weft_last_key();
    source[row] = uvec2(weft_pack_index(gl_SubgroupID, row), 0u);
  }
  weft_load_sort_rows(args.sort.keys, WEFT_KEY_BYTES, 0u, limit, false, key);  // Few keys rarely fill the tile.

  for (uint begin = args.sort.begin; begin < args.end; begin += args.width) {
    uint mask = (1u << min(args.width, args.end - begin)) - 1u;
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) digit[row] = weft_digit(key[row], begin, mask);
    weft_count_tile(digit, count);
    weft_rank_tile(digit, count, first, rank);
    move_to_ranks(WEFT_KEY_BYTES, key, rank);
#ifdef WEFT_UNITS
    move_to_ranks(4u, source, rank);
#endif
  }

  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_pack_index(gl_SubgroupID, row);
    if (index < limit) weft_store_bits(args.sort.keys_out, WEFT_KEY_BYTES, index, key[row]);
  }
#ifdef WEFT_UNITS
  move_values(source, limit);
#endif
}
