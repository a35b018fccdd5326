#version 460
// The nodes of a tree as pairs to sort by parent: a parent as the key, a reference to the node as the value; first the
// inner nodes, then the leaves.
//
// Inputs:  the parents of `inner_count` inner nodes and of `count` leaves. Nodes without a parent get the key
//          `no_parent`, which is above all indices.
// Tile:    a node for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/links.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 parents;
  WeftLinks leaf_parents;
  WeftLinks keys;
  WeftLinks references;
  WeftCount total;  // The number of pairs.
  WeftCount count_on_device;
  uvec2 count;
  WeftCount inner_count_on_device;
  uvec2 inner_count;
  uint parent_words;
  uint no_parent;
  uint options;
}
args;

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x;
  uint inner = weft_second_count(args.inner_count, args.options, args.inner_count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i == 0u) args.total.word = inner + leaves;
  if (i >= inner + leaves) return;
  bool is_leaf = i >= inner;
  uint parent = is_leaf ? args.leaf_parents.at[i - inner] : weft_links_of(args.parents, args.parent_words, i).at[0];
  args.keys.at[i] = min(parent, args.no_parent);
  args.references.at[i] = is_leaf ? weft_tree_leaf + (i - inner) : i;
}
