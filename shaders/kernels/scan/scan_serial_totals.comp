#version 460
// First of the three dispatches of reduce-then-scan, as shaders/kernels/scan/scan_totals.comp, by workgroups of one
// invocation: the total of each tile, in whole words.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, the same as in scan_serial.comp.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/count.glsl"
#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tile_carry.glsl"
#include "weft/kernels/scan/arguments.glsl"
#include "weft/serial/reduce.glsl"

void main() {
  WeftExtent extent = weft_scan_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  weft_store_total(args.carries, tile, weft_serial_reduce(args.source, args.second, tile, 0u, limit));
}
