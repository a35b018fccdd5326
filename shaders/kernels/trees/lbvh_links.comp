#version 460
// The links of a linear bounding volume hierarchy: children, parents and ranges of leaves of its nodes.
//
// Inputs:  `count` sorted Morton codes, one for each leaf.
// Tile:    an inner node for each invocation, which finds its range of leaves and where that splits, by the lengths of
//          the codes' common prefixes.
// After:   Karras 2012, Maximizing Parallelism in the Construction of BVHs, Octrees, and k-d Trees.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_codes.glsl"
#include "weft/kernels/trees/links.glsl"
#include "weft/thread/bvh_node.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftCodes codes;
  uvec2 nodes;
  WeftLinks leaf_parents;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

int leaves;

// -1 for leaves that do not exist.
int common_bits(int i, int j) { return j < 0 || j >= leaves ? -1 : weft_common_bits(args.codes, uint(i), uint(j)); }

// The other end of the range of leaves that starts or ends with leaf i, in the given direction.
int other_end(int i, int direction) {
  int outside = common_bits(i, i - direction), reach = 2;
  while (common_bits(i, i + reach * direction) > outside) reach *= 2;
  int length = 0;
  for (int step = reach / 2; step > 0; step /= 2) {
    if (common_bits(i, i + (length + step) * direction) > outside) length += step;
  }
  return i + length * direction;
}

// The last leaf of the first child.
int split_of(int i, int end, int direction) {
  int inside = common_bits(i, end), length = 0, step = abs(end - i);
  do {
    step = (step + 1) / 2;
    if (common_bits(i, i + (length + step) * direction) > inside) length += step;
  } while (step > 1);
  return i + length * direction + min(direction, 0);
}

void link(uint node, uint k, int child, bool is_leaf) {
  weft_set_node_word(args.nodes, node, weft_node_child + k, uint(child) + (is_leaf ? weft_tree_leaf : 0u));
  if (is_leaf) {
    args.leaf_parents.at[child] = node;
  } else {
    weft_set_node_word(args.nodes, uint(child), weft_node_parent, node);
  }
}

void main() {
  leaves = int(weft_count(args.count, args.options, args.count_on_device).x);
  int i = int(weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex);
  if (leaves == 1 && i == 0) args.leaf_parents.at[0] = weft_tree_none;
  if (i >= leaves - 1) return;
  int direction = common_bits(i, i + 1) > common_bits(i, i - 1) ? 1 : -1;
  int end = other_end(i, direction), split = split_of(i, end, direction);
  uint node = uint(i);
  link(node, 0u, split, min(i, end) == split);
  link(node, 1u, split + 1, max(i, end) == split + 1);
  weft_set_node_word(args.nodes, node, weft_node_end, uint(end));
  if (i == 0) weft_set_node_word(args.nodes, node, weft_node_parent, weft_tree_none);
}
