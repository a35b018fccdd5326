#version 460
// First of the three dispatches of a segmented scan or reduction without look-back, as
// shaders/kernels/runs/segmented_totals.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, the same as in the last dispatch.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments_serial.glsl"

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  WeftCandidates candidates = weft_head_candidates(tile, limit);
  weft_segment_store_total(args.carries, tile,
                           weft_tile_segment(candidates, weft_find_heads(candidates), tile, limit));
}
