#version 460
// First of the three dispatches of a split without look-back, as shaders/kernels/select/split_counts.comp, by
// workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, the same as in split_serial.comp.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/split_serial.glsl"

void main() {
  WeftExtent extent = weft_split_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  WeftCandidates candidates = weft_candidates(args.source, uvec2(0u), tile, weft_tile_limit(extent, tile));
  uvec2 totals = weft_count_sides(candidates);
  weft_pair_store_total(args.carries, tile, weft_index_pair(totals.x, totals.y));
}
