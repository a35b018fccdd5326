#version 460
// Second of the three dispatches of reduce-then-scan: replaces each tile's total by the carry of the tiles before it.
//
// Inputs:  totals, one for each tile of tile_size elements, of `count` elements in all; one workgroup. With
//          WEFT_SEGMENTED totals are pairs of weft/thread/segment.glsl. If `total` is an address, the total of all
//          tiles is written there.
// Tile:    workgroup size * WEFT_ROWS packs of totals in each round.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element_type.glsl"
#undef T_BYTES  // Totals take up whole words.
#define T_BYTES (T_WORDS * 4)

#ifdef WEFT_SEGMENTED
#include "weft/thread/segment.glsl"
#undef T_WORDS
#define T_WORDS WEFT_SEGMENT_WORDS
#else
#include "weft/thread/operator.glsl"
#endif

#include "weft/kernels/base/options.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/scan.glsl"
#include "weft/workgroup/tile.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 totals;
  WeftCount count_on_device;
  uvec2 count;
  uvec2 total;
  uint tile_size;
  uint options;
} args;

void main() {
  uint tail;
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  uint tiles = weft_divide(count, args.tile_size, tail).x + uint(tail > 0u);
  WeftExtent extent = weft_extent(uvec2(tiles, 0u));

  T carry = WEFT_OP(identity)();
  for (uint round = 0u; round < extent.tiles; ++round) {
    uint block = round * weft_tile_blocks();
    uint limit = weft_tile_limit(extent, round);
    T x[WEFT_ROWS][WEFT_PACK];
    weft_load_rows(x, args.totals, true, block, gl_SubgroupID, limit, WEFT_OP(identity)());
    T before[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = WEFT_OP(pack_reduce)(x[row]);
    T total;
    WEFT_OP(workgroup_scan_rows)(before, total);
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      WEFT_OP(pack_exclusive_scan)(x[row], WEFT_OP(combine)(carry, before[row]));
    }
    weft_store_rows(x, args.totals, true, block, gl_SubgroupID, limit);
    carry = WEFT_OP(combine)(carry, total);
  }
  if (args.total != uvec2(0u) && gl_LocalInvocationIndex == 0u) weft_store_element(args.total, 0u, 0u, carry);
}
