#version 460
// The centers of a hierarchy's primitives: centers[i] = WEFT_CENTER of primitive i. For primitives by index, which
// Morton does not read itself.
//
// Inputs:  `count` primitives.
// Macros:  WEFT_CENTER   GLSL expression of `x`, a primitive of type K, and `i`, its index
// Tile:    a primitive for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/primitives.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
  uvec2 centers;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

vec3 center_of(K x, uint i) {
  precise vec3 center = WEFT_CENTER;
  return center;
}

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  uvec3 center = floatBitsToUint(center_of(weft_load_primitive(args.primitives, args.vertices, i), i));
  uvec2 memory = weft_element_address(args.centers, 12u, i);
  weft_store_word(memory, 0u, 0u, center.x);
  weft_store_word(memory, 0u, 1u, center.y);
  weft_store_word(memory, 0u, 2u, center.z);
}
