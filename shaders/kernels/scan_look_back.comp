#version 460
// Prefix scan in one pass: destination[i] = source[0] op ... op source[i], or without source[i] when WEFT_EXCLUSIVE is defined.
//
// Inputs:  `count` elements at source; ticket and state in memory that was set to zero.
// Tile:    workgroup size * WEFT_ROWS packs, held in registers from the only read to the only write. In place works:
//          a tile is read before it is written, and by one workgroup.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/look_back.glsl"
#include "weft/device/tickets.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/scan_rows.glsl"
#include "weft/workgroup/tile.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  WeftTileState state;
  uint flags;  // 1: source is aligned for vectors; 2: read the count from the device; 4: destination is aligned.
  uint unused;
} args;

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, (args.flags & 2u) != 0u, args.count_on_device));
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint block = tile * weft_tile_blocks();
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_rows(x, args.source, (args.flags & 1u) != 0u, block, gl_SubgroupID, limit, weft_identity());

  T before[WEFT_ROWS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] = weft_pack_reduce(x[row]);
  T total;
  weft_workgroup_scan_rows(before, total);
  T carry = weft_look_back(args.state, tile, total);

  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) WEFT_PACK_SCAN(x[row], weft_combine(carry, before[row]));
  weft_store_rows(x, args.destination, (args.flags & 4u) != 0u, block, gl_SubgroupID, limit);
}
