#version 460
// Split in one pass: the elements that one expression selects, those that another does, and with WEFT_THREE_WAY the
// rest, each in their order in an output of their own, and how many each has.
//
// Inputs:  `count` elements at source; ticket and state in memory that was set to zero.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers, gathered in workgroup memory and written.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

// How many elements of all tiles before one go to the first output, and to the second.
#include "weft/thread/index_pair.glsl"
#define T WeftIndexPair
#define WEFT_OP(name) weft_pair_##name
#define WEFT_COMBINE weft_add_pairs(a, b)
#define WEFT_IDENTITY WeftIndexPair(0u)
#include "weft/thread/operator.glsl"

#include "weft/device/look_back.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element.glsl"

#include "weft/kernels/select/split.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  WeftSplitOutputs outputs;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  WeftTileState state;
  uint options;
} args;

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint first[WEFT_ROWS], second[WEFT_ROWS], before[WEFT_ROWS];
  uint total = weft_load_split(x, first, second, before, args.source, args.options, tile, limit);
  weft_stage_split(x, first, second, before, total, limit);
  WeftIndexPair place = weft_pair_look_back(args.state, tile, weft_index_pair(total & 0xFFFFu, total >> 16));
  weft_store_split(x, second, before, total, tile, tile + 1u == extent.tiles, limit, place, args.outputs);
}
