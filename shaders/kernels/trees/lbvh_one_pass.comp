#version 460
// A linear bounding volume hierarchy, links and boxes in one pass, with the same result as lbvh_links and lbvh_boxes.
//
// Inputs:  `count` primitives, the index of that of each leaf, and sorted Morton codes. A word for each boundary
// between
//          neighbouring leaves, where the two children of a node meet; all weft_tree_none.
// Tile:    a leaf for each invocation. A node's parent is across the boundary, left or right of its leaves, where codes
//          have more bits in common. The second child to come there goes on with the parent.
// After:   Apetrei 2014, Fast and Simple Agglomerative LBVH Construction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_COHERENCE coherent  // An invocation reads boxes that others stored.
#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_codes.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  WeftLinks indices;
  WeftCodes codes;
  uvec2 nodes;
  WeftLinks leaf_parents;
  uvec2 bounds;
  WeftTreeCounters boundaries;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

uint leaves;

// Consecutive leaves, all those below one node.
struct Range {
  uint first, last;
};

bool is_everything(Range range) { return range.first == 0u && range.last == leaves - 1u; }

bool is_first_child(Range range) {
  if (range.first == 0u || range.last == leaves - 1u) return range.first == 0u;
  return weft_common_bits(args.codes, range.last, range.last + 1u) >
         weft_common_bits(args.codes, range.first - 1u, range.first);
}

// Nodes have Karras's indices: a first child that of its last leaf, a second child that of its first leaf.
uint reference_to(Range range, bool is_first) {
  uint end = is_first ? range.last : range.first;
  return range.first == range.last ? weft_tree_leaf + end : end;
}

WeftBox box_of(uint reference) {
  if (weft_is_leaf(reference)) return weft_leaf_box(args.primitives, args.indices, weft_leaf_index(reference));
  return weft_unite(weft_node_box(args.nodes, reference, 0u), weft_node_box(args.nodes, reference, 1u));
}

void set_parent(uint reference, uint node) {
  if (weft_is_leaf(reference)) {
    args.leaf_parents.at[weft_leaf_index(reference)] = node;
  } else {
    weft_set_node_word(args.nodes, reference, weft_node_parent, node);
  }
}

void set_child(uint node, uint k, uint reference, WeftBox box) {
  weft_set_node_word(args.nodes, node, weft_node_child + k, reference);
  weft_set_node_box(args.nodes, node, k, box);
  set_parent(reference, node);
}

void main() {
  leaves = weft_count(args.count, args.options, args.count_on_device).x;
  uint leaf = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (leaves == 0u && leaf == 0u) weft_store_bounds(args.bounds, weft_empty_box());
  if (leaf >= leaves) return;
  Range range = Range(leaf, leaf);
  WeftBox box = weft_leaf_box(args.primitives, args.indices, leaf);
  uint reference = weft_tree_leaf + leaf;
  while (!is_everything(range)) {
    bool is_first = is_first_child(range);
    uint split = is_first ? range.last : range.first - 1u;
    uint met = weft_tree_meet(args.boundaries, split, is_first ? range.first : range.last);
    if (met == weft_tree_none) return;
    Range sibling = is_first ? Range(split + 1u, met) : Range(met, split);
    uint other = reference_to(sibling, !is_first);
    WeftBox other_box = box_of(other);
    range = is_first ? Range(range.first, met) : Range(met, range.last);
    bool is_root = is_everything(range), parent_is_first = is_root || is_first_child(range);
    uint node = is_root ? 0u : reference_to(range, parent_is_first);
    set_child(node, is_first ? 0u : 1u, reference, box);
    set_child(node, is_first ? 1u : 0u, other, other_box);
    uint end = range.first == node ? range.last : range.first;
    weft_set_node_word(args.nodes, node, weft_node_end, end);
    if (is_first)
      box = weft_unite(box, other_box);
    else
      box = weft_unite(other_box, box);
    reference = node;
  }
  set_parent(reference, weft_tree_none);
  weft_store_bounds(args.bounds, box);
}
