#version 460
// Keys by which the points of each subtree at depth `level` are sorted along its axis: keys[rank] = the coordinate of
// the point with that rank from the left, below the index of its subtree.
//
// Inputs:  `count` points, and their indices from left to right; the first level writes these. Nodes of levels above
//          are final. They come first in the subtree to their right, with the lowest key, so that a stable sort leaves
//          them there.
// Tile:    a point for each invocation.
// After:   Wald 2022, GPU-friendly, Parallel, and (Almost-)In-Place Construction of Left-Balanced k-d Trees; here each
//          point's subtree follows from its rank.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/kd_order.glsl"
#include "weft/kernels/trees/kd_points.glsl"
#include "weft/kernels/trees/links.glsl"
#include "weft/thread/box.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 8) writeonly buffer Keys { uvec2 at[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 points;
  WeftLinks indices;
  Keys keys;
  WeftCount count_on_device;
  uvec2 count;
  uint level;
  uint options;
}
args;

uint order_bits(float x) { return weft_is_nan(x) ? 0xFFFFFFFFu : weft_unsigned_order_bits(x); }

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint rank = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (rank >= count) return;
  if (args.level == 0u) args.indices.at[rank] = rank;
  uint height = weft_kd_height(count), position = weft_kd_position(rank, count);
  if (weft_kd_depth(position, height) < args.level) {
    args.keys.at[rank] = uvec2(0u, position >> max(int(height + 1u - args.level), 0));
    return;
  }
  WeftKdPoint point = weft_point_at(args.points, args.indices.at[rank]);
  uint coordinate = order_bits(weft_kd_coordinate(point, args.level % WEFT_DIMENSIONS));
  args.keys.at[rank] = uvec2(coordinate, position >> (height + 1u - args.level));
}
