#version 460
// The boxes of a bounding volume hierarchy, from its primitives and links: nodes[parent].box[k] = the box of its child
// k. Also the box around everything.
//
// Inputs:  `count` primitives, the index of that of each leaf, the links of nodes and leaves. Counters of the nodes,
// all
//          zero.
// Tile:    a leaf for each invocation, which goes up until a node waits for its other child.
// After:   Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_COHERENCE coherent  // An invocation reads boxes that others stored.
#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  WeftLinks indices;
  uvec2 nodes;
  WeftLinks leaf_parents;
  uvec2 bounds;
  WeftTreeCounters counters;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x;
  uint leaf = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (leaves == 0u && leaf == 0u) weft_store_bounds(args.bounds, weft_empty_box());
  if (leaf >= leaves) return;
  uint below = weft_tree_leaf + leaf, node = args.leaf_parents.at[leaf];
  WeftBox box = weft_leaf_box(args.primitives, args.indices, leaf);
  while (node != weft_tree_none) {
    uint k = weft_node_word(args.nodes, node, weft_node_child) == below ? 0u : 1u;
    weft_set_node_box(args.nodes, node, k, box);
    if (!weft_tree_arrive(args.counters, node, 2u)) return;
    WeftBox other = weft_node_box(args.nodes, node, 1u - k);
    if (k == 0u)
      box = weft_unite(box, other);
    else
      box = weft_unite(other, box);
    below = node;
    node = weft_node_word(args.nodes, node, weft_node_parent);
  }
  weft_store_bounds(args.bounds, box);
}
