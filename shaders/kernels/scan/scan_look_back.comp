#version 460
// Prefix scan in one pass: destination[i] = source[0] op ... op source[i], or without source[i].
//
// Inputs:  `count` elements at source; ticket and state in memory that was set to zero; WEFT_PACK_SCAN is
//          weft_pack_inclusive_scan or weft_pack_exclusive_scan; WEFT_INITIAL, an expression, comes before all elements.
// Tile:    workgroup size * WEFT_ROWS packs, held in registers from the only read to the only write. In place works:
//          a tile is read before it is written, and by one workgroup.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/look_back.glsl"
#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/scan_rows.glsl"
#include "weft/workgroup/transform.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  WeftTileState state;
  uint options;
  uint unused;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint block = tile * weft_tile_blocks();
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID, limit,
                   weft_identity());

  T before[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = weft_pack_reduce(x[row]);
  T total;
  weft_workgroup_scan_rows(before, total);
  T carry = weft_look_back(args.state, tile, total);
#ifdef WEFT_INITIAL
  carry = weft_combine(WEFT_INITIAL, carry);
#endif

  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) WEFT_PACK_SCAN(x[row], weft_combine(carry, before[row]));
  weft_store_rows(x, args.destination, weft_has(args.options, weft_destination_vectors), block, gl_SubgroupID, limit);
}
