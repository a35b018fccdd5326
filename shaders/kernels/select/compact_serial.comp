#version 460
// Compaction, as shaders/kernels/select/compact.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, read to count the selected elements, and again from the cache once their place is known.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/arguments.glsl"
#ifdef WEFT_INDEX_BITS
#include "weft/serial/select_indices.glsl"
#else
#include "weft/serial/select.glsl"
#endif

void main() {
  WeftExtent extent = weft_extent(weft_selection_count());
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  WeftCandidates candidates = weft_candidates(args.source, args.flags, tile, weft_tile_limit(extent, tile));
  uint total = weft_count_selected(candidates);
  WeftIndex rank = weft_index_carry(args.carries, tile, weft_index(total));
#ifdef WEFT_INDEX_BITS
  uvec2 destination = weft_element_address(args.destination, WEFT_INDEX_BITS / 8u, rank);
  weft_store_selected_indices(destination, candidates, weft_tile_index(tile, 0u), total);
#else
  weft_store_selected(weft_element_address(args.destination, T_BYTES, rank), candidates, total);
#endif
  if (tile + 1u == extent.tiles) {
    weft_write_count(args.selected, args.options, weft_wide(weft_add(rank, weft_index(total))));
  }
}
