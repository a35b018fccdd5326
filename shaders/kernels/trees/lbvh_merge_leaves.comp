#version 460
// The first step of an agglomerative hierarchy, in which each leaf is a cluster.
//
// Inputs:  `count` primitives, and the index of that of each leaf, in the order of Morton codes.
// Tile:    a leaf for each invocation.
// After:   Meister and Bittner 2018, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/trees/lbvh_merge.glsl"

#include "weft/kernels/trees/lbvh_leaves.glsl"

// No number becomes an empty interval, which gives way to numbers as well.
WeftBox without_nans(WeftBox box) {
  [[unroll]] for (int k = 0; k < 3; ++k) {
    if (weft_is_nan(box.low[k])) box.low[k] = uintBitsToFloat(0x7F800000u);
    if (weft_is_nan(box.high[k])) box.high[k] = uintBitsToFloat(0xFF800000u);
  }
  return box;
}

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x;
  uint tile = weft_group_index(), leaf = tile * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (tile * gl_WorkGroupSize.x >= leaves) return;
  Cluster cluster;
  if (leaf < leaves) {
    WeftBox box = without_nans(weft_leaf_box(args.primitives, args.vertices, args.indices, leaf));
    cluster = Cluster(box, weft_tree_leaf + leaf, leaf, 1u, 0u);
  }
  merge_tile(tile, leaf < leaves, cluster);
}
