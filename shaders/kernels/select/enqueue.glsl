// Shared by the four enqueue kernels: push constants, and the tile that a workgroup takes from the source.
//
// Gives:    args
//           bool weft_load_own_tile(out x, out masks, out limit)
//                    the tile, and the masks of its selected elements; false if there is none
// Macros:   those of weft/workgroup/select.glsl, with WEFT_WHERE
#ifndef WEFT_KERNELS_ENQUEUE
#define WEFT_KERNELS_ENQUEUE

#include "weft/device/enqueue.glsl"

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/select/selected_tile.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 others_destination;
  WeftQueue queue;
  WeftQueue others;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

bool weft_load_own_tile(out T x[WEFT_ROWS][WEFT_PACK], out uint masks[WEFT_ROWS], out uint limit) {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  limit = weft_tile_limit(extent, tile);
  weft_load_selected(x, masks, args.source, uvec2(0u), args.options, tile, limit);
  return limit > 0u;
}

#endif
