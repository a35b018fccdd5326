#version 460
// The boxes around primitives, as weft/kernels/pairs/boxes.glsl stores them.
//
// Inputs:  `count` primitives of type K.
// Tile:    a primitive for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/boxes.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
  uvec2 boxes;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  WeftBox box = weft_box_of(weft_load_primitive(args.primitives, args.vertices, i), i);
  weft_store_box_bits(args.boxes, i, weft_box_bits(box.low, box.high));
}
