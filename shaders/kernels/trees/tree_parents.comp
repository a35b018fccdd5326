#version 460
// The parents of a tree's nodes, from the inner nodes' children: parents[child] = node, and the same for leaves.
//
// Inputs:  WEFT_ARITY references to the children of each of `inner_count` nodes, WEFT_CHILDREN_WORDS words apart.
//          Parents that are all weft_tree_none.
// Tile:    an inner node for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/links.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 children;
  WeftLinks parents;
  WeftLinks leaf_parents;
  WeftCount inner_count_on_device;
  uvec2 inner_count;
  uint options;
}
args;

void main() {
  uint inner_count = weft_second_count(args.inner_count, args.options, args.inner_count_on_device).x;
  uint node = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (node >= inner_count) return;
  WeftLinks children = weft_links_of(args.children, WEFT_CHILDREN_WORDS, node);
  for (uint k = 0u; k < WEFT_ARITY; ++k) {
    uint child = children.at[k];
    if (child == weft_tree_none) continue;
    if (weft_is_leaf(child)) {
      args.leaf_parents.at[weft_leaf_index(child)] = node;
    } else {
      args.parents.at[child] = node;
    }
  }
}
