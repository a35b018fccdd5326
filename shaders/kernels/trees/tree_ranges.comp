#version 460
// Where the children of each inner node are in a list of all nodes that is sorted by parent.
//
// Inputs:  `total` parents in ascending order. Ranges that are all empty: the index of a node's first child in the
//          list, and that after its last.
// Tile:    an entry of the list for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/trees/links.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftLinks keys;
  WeftLinks ranges;
  WeftCount total;
  uint no_parent;
}
args;

void main() {
  uint total = args.total.word;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= total) return;
  uint parent = args.keys.at[i];
  if (parent == args.no_parent) return;
  if (i == 0u || args.keys.at[i - 1u] != parent) args.ranges.at[2u * parent] = i;
  if (i + 1u == total || args.keys.at[i + 1u] != parent) args.ranges.at[2u * parent + 1u] = i + 1u;
}
