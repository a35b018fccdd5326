#version 460
// The number of keys of each digit, as shaders/kernels/sort/radix_histogram.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS keys. Each workgroup has consecutive tiles, and runs over each once for each pass, while it is in
//          the cache.
// Macros:  WEFT_PASSES   as there
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/serial/digits.glsl"

#include "weft/kernels/sort/radix_histogram_arguments.glsl"
#include "weft/workgroup/extent.glsl"

const uint most_tiles = 0x10000u;  // Of fewer than 2^16 keys each: counts have 32 bits.

shared uint sums[WEFT_PASSES * WEFT_DIGITS];

void add_tile(uint pass, uvec2 keys, uint limit) {
  weft_clear_digits();
  weft_count_digits(keys, limit, weft_begin_of(pass), weft_mask_of(pass));
  weft_sum_digits();
  for (uint d = 0u; d < WEFT_DIGITS; ++d) sums[pass * WEFT_DIGITS + d] += weft_digit_count[d];
}

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tiles_each = (extent.tiles + args.groups - 1u) / args.groups, tile = weft_group_index() * tiles_each;
  uint end = min(tile + tiles_each, extent.tiles);
  while (tile < end) {
    for (uint i = 0u; i < WEFT_PASSES * WEFT_DIGITS; ++i) sums[i] = 0u;
    for (uint n = 0u; n < most_tiles && tile < end; ++n, ++tile) {
      uvec2 keys = weft_element_address(args.keys, WEFT_KEY_BYTES * weft_tile_size(), tile);
      for (uint pass = 0u; pass < args.passes; ++pass) add_tile(pass, keys, weft_tile_limit(extent, tile));
    }
    for (uint pass = 0u; pass < args.passes; ++pass) {
      for (uint d = 0u; d < WEFT_DIGITS; ++d) weft_add_to_total(pass, d, sums[pass * WEFT_DIGITS + d]);
    }
  }
}
