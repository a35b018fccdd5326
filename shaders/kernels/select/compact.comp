#version 460
// Compaction: the selected elements of the source, in their order, or their indices, and their number. In one pass with
// WEFT_LOOK_BACK, otherwise the last of three dispatches.
//
// Inputs:  `count` elements at source; without a macro that selects, a flag for each; ticket and carries of
//          weft/device/tile_carry.glsl. Indices by flags take no elements.
// Macros:  WEFT_INDEX_BITS   optional, 32 or 64: stores the indices of the selected elements, of as many bits, instead
//                            of the elements
// Tile:    workgroup size * WEFT_ROWS packs, read once into registers and written once, by way of workgroup memory.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/selection.glsl"
#ifdef WEFT_INDEX_BITS
#include "weft/workgroup/store_selected_indices.glsl"
#else
#include "weft/workgroup/store_selected.glsl"
#endif

void main() {
  WeftExtent extent = weft_extent(weft_selection_count());
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  uint masks[WEFT_ROWS], before[WEFT_ROWS];
#ifdef WEFT_INDEX_BITS
  weft_load_masks(masks, args.source, args.flags, args.options, tile, limit);
#else
  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_selected(x, masks, args.source, args.flags, args.options, tile, limit);
#endif
  uint total = weft_rank_selected(masks, before);
  WeftIndex rank = weft_index_carry(args.carries, tile, weft_index(total));
#ifdef WEFT_INDEX_BITS
  weft_store_selected_indices(args.destination, rank, weft_product(tile, weft_tile_size()), masks, before);
#else
  weft_store_selected(args.destination, rank, x, masks, before);
#endif
  if (tile + 1u == extent.tiles && gl_LocalInvocationIndex == 0u) {
    weft_write_count(args.selected, args.options, weft_wide(weft_add(rank, weft_index(total))));
  }
}
