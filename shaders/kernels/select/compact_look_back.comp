#version 460
// Compaction in one pass: the selected elements of the source, in their order, and how many there are.
//
// Inputs:  `count` elements at source; as many flags where no macro selects; ticket and state in memory that was
//          set to zero.
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers and written once, by way of workgroup memory.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

// How many elements all tiles before one select.
#include "weft/thread/count.glsl"
#define T WeftIndex
#define WEFT_OP(name) weft_place_##name
#define WEFT_COMBINE weft_add(a, b)
#define WEFT_IDENTITY WeftIndex(0u)
#include "weft/thread/operator.glsl"

#include "weft/device/look_back.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/select/selected_tile.glsl"
#include "weft/workgroup/store_selected.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 flags;
  uvec2 destination;
  WeftCount selected;
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
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  weft_load_selected(x, masks, args.source, args.flags, args.options, tile, limit);
  uint total = weft_rank_selected(masks, before);
  WeftIndex place = weft_place_look_back(args.state, tile, weft_index(total));
  weft_store_selected(args.destination, place, x, masks, before);
  if (tile + 1u == extent.tiles && gl_LocalInvocationIndex == 0u) {
    args.selected.value = weft_wide(weft_add(place, weft_index(total)));
  }
}
