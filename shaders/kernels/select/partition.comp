#version 460
// Partition: the selected elements of the source, in their order, their number, and the others. In one pass with
// WEFT_LOOK_BACK, otherwise the last of three dispatches.
//
// Inputs:  `count` elements at source; without a macro that selects, a flag for each; ticket and carries of
//          weft/device/tile_carry.glsl.
// Macros:  WEFT_REVERSED   the others end where `count` elements do, the first of them last. Otherwise they are written
//                          in their order, from the start of their memory
//          WEFT_BEHIND     or, without WEFT_LOOK_BACK, after the selected elements
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers and written once, by way of workgroup memory.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/selection.glsl"

#include "weft/kernels/select/others.glsl"
#include "weft/kernels/select/partitioned_tile.glsl"
#include "weft/thread/indices.glsl"

void main() {
  uvec2 count = weft_selection_count();
  WeftExtent extent = weft_extent(count);
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  weft_load_selected(x, masks, args.source, args.flags, args.options, tile, limit);
  uint total = weft_rank_selected(masks, before);
  WeftIndex rank = weft_index_carry(args.carries, tile, weft_index(total));
  WeftIndex others = weft_others_index(tile, rank, total, limit, count);
#ifdef WEFT_BEHIND
  others = weft_add(others, weft_load_index(args.all_selected, weft_index(0u)));
#endif
  weft_store_partition(args.destination, rank, args.others, others, x, masks, before, limit, total);
  if (tile + 1u == extent.tiles && gl_LocalInvocationIndex == 0u) {
    weft_write_count(args.selected, args.options, weft_wide(weft_add(rank, weft_index(total))));
  }
}
