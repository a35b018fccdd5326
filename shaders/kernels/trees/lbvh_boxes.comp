#version 460
// The boxes of a bounding volume hierarchy, from its primitives and links: nodes[parent].box[k] = the box of its child
// k. Also the box around everything.
//
// Inputs:  `count` primitives, the index of that of each leaf, the links of nodes and leaves. Counters of the nodes,
//          all zero.
// Tile:    a leaf for each invocation, which goes up until a node waits for its other child. Children that have all
//          their leaves in the workgroup meet in its memory.
// After:   Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_NODE_COHERENCE coherent  // An invocation reads boxes that others stored.
#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_group.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
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

// Where a subtree's box is kept.
uint index_of(uint reference) { return reference & ~weft_tree_leaf; }

// The box of the node's other child, if that has arrived.
bool meet(uint node, uvec4 links, uint below, WeftBox box, out WeftBox other) {
  uint k = links[weft_node_child] == below ? 0u : 1u;
  if (weft_in_group(node) && weft_in_group(links[weft_node_end])) {
    weft_keep_box(index_of(below), box);
    if (weft_group_meet(node, 0u) == weft_tree_none) return false;
    other = weft_kept_box(index_of(k == 0u ? links[weft_node_child + 1u] : links[weft_node_child]));
    if (k == 0u)
      weft_set_node_boxes(args.nodes, node, box, other);
    else
      weft_set_node_boxes(args.nodes, node, other, box);
    return true;
  }
  weft_set_node_box(args.nodes, node, k, box);
  if (!weft_tree_arrive(args.counters, node, 2u)) return false;
  other = weft_node_box(args.nodes, node, 1u - k);
  return true;
}

void main() {
  uint leaves = weft_count(args.count, args.options, args.count_on_device).x;
  weft_group_leaf = weft_group_index() * gl_WorkGroupSize.x;
  uint leaf = weft_group_leaf + gl_LocalInvocationIndex;
  if (leaves == 0u && leaf == 0u) weft_store_bounds(args.bounds, weft_empty_box());
  weft_start_meetings();
  if (leaf >= leaves) return;
  uint below = weft_tree_leaf + leaf, node = args.leaf_parents.at[leaf];
  WeftBox box = weft_leaf_box(args.primitives, args.vertices, args.indices, leaf), other;
  while (node != weft_tree_none) {
    uvec4 links = weft_node_links(args.nodes, node);
    if (!meet(node, links, below, box, other)) return;
    if (links[weft_node_child] == below)
      box = weft_unite(box, other);
    else
      box = weft_unite(other, box);
    below = node;
    node = links[weft_node_parent];
  }
  weft_store_bounds(args.bounds, box);
}
