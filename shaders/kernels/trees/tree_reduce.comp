#version 460
// The values of a tree's inner nodes: nodes[i] = the values of its children, combined from left to right.
//
// Inputs:  `leaf_count` values of leaves, or what they are computed from (WEFT_TRANSFORM, WEFT_ELEMENT_AT). The parent
//          of each leaf and inner node. The children of each of `inner_count` inner nodes: WEFT_ARITY references, the
//          first of them WEFT_CHILDREN_WORDS words after that of the node before; or without WEFT_ARITY a range of a
//          list, given by `ranges`. Counters of the inner nodes, all zero. weft/device/tree_up.glsl describes
//          references.
// Tile:    a leaf for each invocation, which goes up until a node waits for another child.
// After:   Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_COHERENCE coherent  // An invocation reads values that others stored.
#include "weft/thread/element_type.glsl"

#include "weft/thread/box.glsl"
#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/links.glsl"
#include "weft/workgroup/transform.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 leaves;
  WeftLinks leaf_parents;
  uvec2 parents;
  uvec2 children;
  WeftLinks ranges;
  uvec2 nodes;
  WeftTreeCounters counters;
  WeftCount count_on_device;
  uvec2 count;
  WeftCount inner_count_on_device;
  uvec2 inner_count;
  uint parent_words;
  uint options;
}
args;

#ifdef WEFT_ELEMENT_AT
T element_at(uint i, uint i_high) { return WEFT_ELEMENT_AT; }
T leaf_value(uint leaf) { return element_at(leaf, 0u); }
#elif defined(WEFT_TRANSFORM)
T leaf_value(uint leaf) {
  K x = weft_key_load_from(args.leaves, weft_block_offset(leaf, K_WORDS, K_BYTES / K_WORDS), 0u);
  return weft_transform(x, x, leaf, 0u);
}
#else
T leaf_value(uint leaf) { return weft_load_at(args.leaves, leaf); }
#endif

// The references to children [range.x, range.y) of a node; with WEFT_ARITY some may be weft_tree_none.
#ifdef WEFT_ARITY
uvec2 range_of(uint node) { return uvec2(0u, WEFT_ARITY); }
uint child_of(uint node, uint k) { return weft_links_of(args.children, WEFT_CHILDREN_WORDS, node).at[k]; }
uint children_of(uint node, uvec2 range) {
  uint children = 0u;
  for (uint k = range.x; k < range.y; ++k) children += uint(child_of(node, k) != weft_tree_none);
  return children;
}
#else
uvec2 range_of(uint node) { return uvec2(args.ranges.at[2u * node], args.ranges.at[2u * node + 1u]); }
uint child_of(uint node, uint k) { return weft_links_of(args.children, 1u, k).at[0]; }
uint children_of(uint node, uvec2 range) { return range.y - range.x; }
#endif

T value_of(uint child) {
  if (weft_is_leaf(child)) return leaf_value(weft_leaf_index(child));
  return weft_load_at(args.nodes, child);
}

T combine_children(uint node, uvec2 range) {
  T total;
  bool has_total = false;
  for (uint k = range.x; k < range.y; ++k) {
    uint child = child_of(node, k);
    if (child == weft_tree_none) continue;
    T x = value_of(child);
    if (has_total) x = weft_combine(total, x);
    total = x;
    has_total = true;
  }
  return total;
}

#ifdef WEFT_NODE
T node_value(T x, uint i) {
  precise T result = WEFT_NODE;
  return result;
}
#else
T node_value(T x, uint i) { return x; }
#endif

void main() {
  uint leaf_count = weft_count(args.count, args.options, args.count_on_device).x;
  uint inner_count = weft_second_count(args.inner_count, args.options, args.inner_count_on_device).x;
  uint leaf = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (leaf >= leaf_count) return;
  uint node = args.leaf_parents.at[leaf];
  while (node < inner_count) {
    uvec2 range = range_of(node);
    if (!weft_tree_arrive(args.counters, node, children_of(node, range))) return;
    weft_store_at(args.nodes, node, node_value(combine_children(node, range), node));
    node = weft_links_of(args.parents, args.parent_words, node).at[0];
  }
}
