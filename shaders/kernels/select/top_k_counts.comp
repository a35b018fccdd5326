#version 460
// One pass of a radix selection: counts the next digit of the keys that share the leading digits of the k-th one.
//
// Inputs:  `count` keys at source, and the counts of previous passes; this pass's were set to zero.
// Tile:    workgroup size * WEFT_ROWS packs; each workgroup takes every groups-th tile and counts in workgroup memory.
// After:   Alabi et al. 2012, Fast k-selection algorithms for graphics processing units.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/top_k.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/histogram.glsl"
#include "weft/workgroup/tile.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  WeftTopCounts counts;
  WeftCount count_on_device;
  uvec2 count;
  uvec2 k;
  uint pass;
  uint groups;
  uint options;
} args;

void main() {
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftIndex needed = weft_index(weft_min(args.k, count));
  if (needed == weft_index(0u)) return;
  weft_clear_counts();
  uvec2 found = uvec2(0u);
  weft_find_digits(args.counts, args.pass, found, needed);
  barrier();
  WeftExtent extent = weft_extent(count);
  for (uint tile = weft_group_index(); tile < extent.tiles; tile += args.groups) {
    uint limit = weft_tile_limit(extent, tile);
    T x[WEFT_ROWS][WEFT_PACK];
    weft_load_rows(x, args.source, weft_has(args.options, weft_source_vectors), tile * weft_tile_blocks(),
                   gl_SubgroupID, limit, weft_zero());
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint first = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
      [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
        uvec2 bits = weft_top_bits(x[row][k]);
        bool wanted = first + uint(k) < limit && weft_top_follows(bits, found, args.pass);
        if (wanted) weft_add_to_bin(weft_top_digit(bits, args.pass), 1u);
      }
    }
  }
  barrier();
  for (uint digit = gl_LocalInvocationIndex; digit < 256u; digit += gl_WorkGroupSize.x) {
    uvec2 sum = weft_sum_of_bin(digit);
    if (sum != uvec2(0u)) weft_add_to_digit(args.counts, args.pass * 256u + digit, sum);
  }
}
