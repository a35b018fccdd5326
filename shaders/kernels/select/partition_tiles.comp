#version 460
// Last of the three dispatches of partition without waiting: writes each tile's elements to their places.
//
// Inputs:  `count` elements at source; as many flags where no macro selects; from scan_spine.comp the place where
//          each tile's selected elements start and how many there are in all; one workgroup for each tile. The others
//          go to memory of their own, or with WEFT_BEHIND behind the selected ones, in their order both times; with
//          WEFT_REVERSED behind the selected ones, the first of them last.
// Tile:    workgroup size * WEFT_ROWS packs, read into registers and written once, by way of workgroup memory.
// After:   Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/select/partition.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer TilePlaces { WeftIndex tile[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 flags;
  uvec2 destination;
  uvec2 others;
  WeftCount selected;
  WeftCount count_on_device;
  uvec2 count;
  TilePlaces places;
  TilePlaces all_selected;
  uint options;
} args;

void main() {
  uvec2 count = weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device);
  WeftExtent extent = weft_extent(count);
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], before[WEFT_ROWS];
  weft_load_selected(x, masks, args.source, args.flags, args.options, tile, limit);
  uint total = weft_rank_selected(masks, before);
  WeftIndex place = args.places.tile[tile], others_place = weft_others_place(tile, place, total, limit, count);
#ifdef WEFT_BEHIND
  others_place = weft_add(others_place, args.all_selected.tile[0]);
#endif
  weft_store_partition(args.destination, place, args.others, others_place, x, masks, before, limit, total);
  if (tile + 1u == extent.tiles && gl_LocalInvocationIndex == 0u) {
    args.selected.value = weft_wide(weft_add(place, weft_index(total)));
  }
}
