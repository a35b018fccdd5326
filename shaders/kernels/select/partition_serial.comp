#version 460
// Partition, as shaders/kernels/select/partition.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Macros:  as there.
// Tile:    WEFT_ROWS packs, read to count the selected elements, and again from the cache once their place is known.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/arguments.glsl"

#include "weft/kernels/select/others.glsl"
#include "weft/serial/partition.glsl"
#include "weft/thread/indices.glsl"

void main() {
  uvec2 count = weft_selection_count();
  WeftExtent extent = weft_extent(count);
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WeftCandidates candidates = weft_candidates(args.source, args.flags, tile, limit);
  uint total = weft_count_selected(candidates);
  WeftIndex rank = weft_index_carry(args.carries, tile, weft_index(total));
  WeftIndex others = weft_others_index(tile, rank, total, limit, count);
#ifdef WEFT_BEHIND
  others = weft_add(others, weft_load_index(args.all_selected, weft_index(0u)));
#endif
  weft_store_partition(weft_element_address(args.destination, T_BYTES, rank),
                       weft_element_address(args.others, T_BYTES, others), candidates, total);
  if (tile + 1u == extent.tiles) {
    weft_write_count(args.selected, args.options, weft_wide(weft_add(rank, weft_index(total))));
  }
}
