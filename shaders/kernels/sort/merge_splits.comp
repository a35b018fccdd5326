#version 460
// First of the two dispatches of a merge: where each output tile starts in the two runs that it is merged from.
//
// Inputs:  two sorted runs, or with WEFT_MERGE_SORT pairs of runs; one invocation for each tile.
// Output:  splits, for each tile the number of elements of the first run before it.
// After:   Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/merge_split.glsl"
#include "weft/kernels/sort/merge_work.glsl"

void main() {
  WeftMergeCounts counts = weft_merge_counts();
  uint tile = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (tile >= counts.extent.tiles) return;
  args.splits.tile[tile] = weft_find_split(weft_merge_pair(counts, tile));
}
