#version 460
// The nodes of a left-balanced kd-tree: nodes[i] = a point and its index.
//
// Inputs:  `count` points, and their indices from left to right in the tree.
// Tile:    a point for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/kd_order.glsl"
#include "weft/kernels/trees/kd_points.glsl"
#include "weft/kernels/trees/links.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 points;
  WeftLinks indices;
  uvec2 nodes;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint rank = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (rank >= count) return;
  uint index = args.indices.at[rank];
  uint node = weft_kd_node_at(weft_kd_position(rank, count), weft_kd_height(count));
  weft_set_kd_node(args.nodes, node, WeftKdNode(weft_point_at(args.points, index), index));
}
