#version 460
// A later step of an agglomerative hierarchy.
//
// Inputs:  the clusters that the step before left of `count` leaves. One of its tiles left up to a quarter of a tile;
//          unused slots have no reference.
// Tile:    a cluster for each invocation, from `tile_leaves` leaves.
// After:   Meister and Bittner 2018, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/trees/lbvh_merge.glsl"

bool load(uint slot, uint leaves, out Cluster cluster) {
  uint tile_before = slot / (gl_WorkGroupSize.x / 4u);
  if (tile_before * (args.tile_leaves / 4u) >= leaves) return false;
  uvec2 memory = weft_element_address(args.clusters, 32u, slot);
  uvec4 b = weft_load_vector(memory, 0u, 1u);
  if (b.z == weft_tree_none) return false;
  uvec4 a = weft_load_vector(memory, 0u, 0u);
  cluster = Cluster(WeftBox(uintBitsToFloat(a.xyz), uintBitsToFloat(uvec3(a.w, b.xy))), b.z, b.w, 1u, 0u);
  if (weft_is_leaf(b.z)) return true;
  WeftMerge merge = weft_merge(args.merges, b.z);
  cluster.leaves = merge.leaves;
  cluster.height = merge.height;
  return true;
}

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x, tile = weft_group_index();
  if (tile * args.tile_leaves >= leaves) return;
  Cluster cluster;
  bool is_one = load(tile * gl_WorkGroupSize.x + gl_LocalInvocationIndex, leaves, cluster);
  merge_tile(tile, is_one, cluster);
}
