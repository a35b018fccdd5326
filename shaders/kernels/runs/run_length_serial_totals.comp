#version 460
// First of the three dispatches of run-length encoding without look-back, as
// shaders/kernels/runs/run_length_totals.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs, the same as in run_length_serial.comp.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/run_length_serial.glsl"

void main() {
  WeftExtent extent = weft_run_extent();
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  WeftCandidates candidates = weft_candidates(args.source, uvec2(0u), tile, weft_tile_limit(extent, tile));
  weft_segment_store_total(args.carries, tile, weft_tile_runs(candidates));
}
