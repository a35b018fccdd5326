#version 460
// The leaves and links of an agglomerative hierarchy, in the form of weft/lbvh.h: leaves from left to right, nodes at
// Karras's indices.
//
// Inputs:  `count` leaves in the order of Morton codes: the index of the primitive of each. The merges that joined
//          them, and the links of leaves to these.
// Tile:    a leaf for each invocation. Its rank is the number of leaves below first children beside its way to the
//          root. It writes the nodes of which it is the first leaf.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_merges.glsl"
#include "weft/thread/bvh_node.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftLinks sorted;
  uvec2 merges;
  WeftLinks leaf_links;
  WeftLinks indices;
  uvec2 nodes;
  WeftLinks leaf_parents;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

uint rank_of(uint link) {
  uint rank = 0u;
  while (link != weft_tree_none) {
    WeftMerge merge = weft_merge(args.merges, weft_merge_index(link));
    if (weft_is_second(link)) rank += merge.first_leaves;
    link = merge.link;
  }
  return rank;
}

// A node's index: of a first child its last leaf, of a second child its first leaf.
uint node_index(WeftMerge merge, uint first) {
  if (merge.link == weft_tree_none) return 0u;
  return weft_is_second(merge.link) ? first : first + merge.leaves - 1u;
}

uint parent_of(uint link, uint first) {
  if (link == weft_tree_none) return weft_tree_none;
  WeftMerge merge = weft_merge(args.merges, weft_merge_index(link));
  return node_index(merge, weft_is_second(link) ? first - merge.first_leaves : first);
}

void write_node(WeftMerge merge, uint first) {
  uint index = node_index(merge, first), last = first + merge.leaves - 1u, second = first + merge.first_leaves;
  uvec2 children = uvec2(second - 1u + (second - 1u == first ? weft_tree_leaf : 0u),
                         second + (second == last ? weft_tree_leaf : 0u));
  weft_set_node_links(args.nodes, index, uvec4(children, parent_of(merge.link, first), index == first ? last : first));
}

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x;
  uint leaf = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (leaf >= leaves) return;
  uint link = args.leaf_links.at[leaf], rank = rank_of(link);
  args.indices.at[rank] = args.sorted.at[leaf];
  args.leaf_parents.at[rank] = parent_of(link, rank);
  while (link != weft_tree_none && !weft_is_second(link)) {
    WeftMerge merge = weft_merge(args.merges, weft_merge_index(link));
    write_node(merge, rank);
    link = merge.link;
  }
}
