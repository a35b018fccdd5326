#version 460
// Prefix scan: destination[i] = source[0] op ... op source[i], or without source[i]. In one pass with WEFT_LOOK_BACK,
// otherwise the last of the three dispatches of reduce-then-scan.
//
// Inputs:  `count` elements at source; ticket and carries of weft/device/tile_carry.glsl.
// Macros:  WEFT_EXCLUSIVE   optional: an element's result leaves out its own value
//          WEFT_INITIAL     optional: an expression, the element that comes before all others
// Tile:    workgroup size * WEFT_ROWS packs, held in registers from the only read to the only write. In place works: a
//          tile is read before it is written, and by one workgroup.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tile_carry.glsl"
#include "weft/kernels/scan/scan_tile.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/scan.glsl"

void main() {
  WeftExtent extent = weft_scan_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint block = tile * weft_tile_blocks();
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_scan_tile(x, tile, limit);

  T before[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = weft_pack_reduce(x[row]);
  T total;
  weft_workgroup_scan_rows(before, total);
  T carry = weft_carry(args.carries, tile, total);
#ifdef WEFT_INITIAL
  carry = weft_combine(WEFT_INITIAL, carry);
#endif

  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    T running = weft_combine(carry, before[row]);
#ifdef WEFT_EXCLUSIVE
    weft_pack_exclusive_scan(x[row], running);
#else
    weft_pack_inclusive_scan(x[row], running);
#endif
  }
#if defined(WEFT_NOTHING_DIFFERS) && defined(WEFT_EXCLUSIVE) && !defined(WEFT_INITIAL)
  if (tile == 0u && gl_LocalInvocationIndex == 0u) x[0][0] = weft_nothing();
#endif
  weft_store_rows(x, args.destination, weft_has(args.options, weft_destination_vectors), block, gl_SubgroupID, limit);
}
