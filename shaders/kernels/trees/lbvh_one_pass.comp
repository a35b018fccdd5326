#version 460
// A linear bounding volume hierarchy, links and boxes in one pass, with the same result as lbvh_links and lbvh_boxes.
//
// Inputs:  `count` primitives, the index of that of each leaf, and sorted Morton codes. A word for each boundary
//          between neighbouring leaves, where the two children of a node meet; all weft_tree_none.
// Tile:    a leaf for each invocation. A node's parent is across the boundary, left or right of its leaves, where codes
//          have more bits in common. The second child to come there goes on with the parent. Children that have all
//          their leaves in the workgroup meet in its memory.
// After:   Apetrei 2014, Fast and Simple Agglomerative LBVH Construction.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#define WEFT_NODE_COHERENCE coherent  // An invocation reads boxes that others stored.
#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_codes.glsl"
#include "weft/kernels/trees/lbvh_group.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
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

// Bits that the codes of leaf i and the one before it have in common; -1 where there are not two leaves.
int bits_before(uint i) {
  if (i == 0u || i >= leaves) return -1;
  return weft_common_bits(args.codes, i - 1u, i);
}

// Those of leaf weft_group_leaf + k.
shared int group_bits[gl_WorkGroupSize.x + 1];

void load_bits() {
  for (uint k = gl_LocalInvocationIndex; k <= gl_WorkGroupSize.x; k += gl_WorkGroupSize.x) {
    group_bits[k] = bits_before(weft_group_leaf + k);
  }
}

// The subtree that this invocation has finished: its leaves, whether it is the first child of a node, the reference to
// it, and its box.
uint first, last;
bool is_first;
uint subtree;
WeftBox box;

bool is_everything() { return first == 0u && last == leaves - 1u; }
bool is_first_child(bool in_group) {
  if (in_group) return group_bits[last + 1u - weft_group_leaf] > group_bits[first - weft_group_leaf];
  return bits_before(last + 1u) > bits_before(first);
}

// The subtree meets its sibling at the boundary behind this leaf.
uint boundary() { return is_first ? last : first - 1u; }
uint far_end() { return is_first ? first : last; }

// Nodes have Karras's indices: a first child that of its last leaf, a second child that of its first leaf.
uint sibling_index() { return is_first ? last + 1u : first - 1u; }
uint sibling(uint its_far_end) {
  uint index = sibling_index();
  return index == its_far_end ? weft_tree_leaf + index : index;
}

WeftBox box_in_memory(uint reference) {
  if (weft_is_leaf(reference))
    return weft_leaf_box(args.primitives, args.vertices, args.indices, weft_leaf_index(reference));
  WeftBox a, b;
  weft_node_boxes(args.nodes, reference, a, b);
  return weft_unite(a, b);
}

void set_parent(uint reference, uint node) {
  if (weft_is_leaf(reference)) {
    args.leaf_parents.at[weft_leaf_index(reference)] = node;
  } else {
    weft_set_node_word(args.nodes, reference, weft_node_parent, node);
  }
}

// Goes on with the node above the subtree and its sibling. `in_group`: it has all its leaves in the workgroup.
void join(uint its_far_end, WeftBox its_box, bool in_group) {
  uint other = sibling(its_far_end);
  uvec2 children = is_first ? uvec2(subtree, other) : uvec2(other, subtree);
  WeftBox boxes[2] = WeftBox[](box, its_box);
  if (!is_first) boxes = WeftBox[](its_box, box);
  if (is_first)
    last = its_far_end;
  else
    first = its_far_end;
  is_first = is_first_child(in_group);
  subtree = is_everything() ? 0u : is_first ? last : first;
  uint end = first == subtree ? last : first;
  weft_set_node(args.nodes, subtree, uvec4(children, weft_tree_none, end), boxes[0], boxes[1]);
  set_parent(children[0], subtree);
  set_parent(children[1], subtree);
  box = weft_unite(boxes[0], boxes[1]);
}

// Goes up as long as both children of a node have all their leaves in the workgroup. False where the subtree met
// nobody.
bool join_in_group() {
  while (!is_everything() && weft_in_group(boundary())) {
    weft_keep_box(is_first ? last : first, box);
    uint met = weft_group_meet(boundary(), far_end());
    if (met == weft_tree_none) return false;
    join(met, weft_kept_box(sibling_index()), true);
  }
  return true;
}

void main() {
  leaves = weft_count(args.count, args.options, args.count_on_device).x;
  weft_group_leaf = weft_group_index() * gl_WorkGroupSize.x;
  uint leaf = weft_group_leaf + gl_LocalInvocationIndex;
  if (leaves == 0u && leaf == 0u) weft_store_bounds(args.bounds, weft_empty_box());
  load_bits();
  weft_start_meetings();
  bool goes_on = leaf < leaves;
  if (goes_on) {
    first = last = leaf;
    is_first = is_first_child(true);
    subtree = weft_tree_leaf + leaf;
    box = weft_leaf_box(args.primitives, args.vertices, args.indices, leaf);
    goes_on = join_in_group();
  }
  barrier();
  // Whoever met nobody goes on if its sibling has leaves in other workgroups, and so did not come.
  if (leaf >= leaves || (!goes_on && weft_group_met(boundary()) != far_end())) return;
  while (!is_everything()) {
    uint met = weft_tree_meet(args.boundaries, boundary(), far_end());
    if (met == weft_tree_none) return;
    join(met, box_in_memory(sibling(met)), false);
  }
  if (leaves == 1u) set_parent(subtree, weft_tree_none);
  weft_store_bounds(args.bounds, box);
}
