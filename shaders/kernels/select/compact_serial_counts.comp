#version 460
// First of the three dispatches of compaction and partition without look-back, as
// shaders/kernels/select/compact_counts.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, the same as in the last dispatch.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/arguments.glsl"
#include "weft/serial/select.glsl"

void main() {
  WeftExtent extent = weft_extent(weft_selection_count());
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  WeftCandidates candidates = weft_candidates(args.source, args.flags, tile, weft_tile_limit(extent, tile));
  weft_index_store_total(args.carries, tile, weft_index(weft_count_selected(candidates)));
}
