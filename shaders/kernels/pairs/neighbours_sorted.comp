#version 460
// Points in the order of their indices, each with its index.
//
// Inputs:  `count` elements with a point each, and indices.
// Tile:    a point for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/kd_points.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 points;
  uvec2 indices;
  uvec2 sorted;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint rank = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (rank >= count) return;
  uint index = weft_load_word(args.indices, 0u, rank);
  weft_set_kd_node(args.sorted, rank, WeftKdNode(weft_point_at(args.points, index), index));
}
