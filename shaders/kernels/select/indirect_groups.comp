#version 460
// The command of an indirect dispatch: {ceil(count / group_size), 1, 1}.
//
// Inputs:  a count; a group size below 2^16.
// Tile:    none; one invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/base/options.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftGroups { uint x, y, z; };

layout(push_constant, scalar) uniform Arguments {
  WeftGroups groups;
  WeftCount count_on_device;
  uvec2 count;
  uint group_size;
  uint options;
} args;

void main() {
  uint rest;
  uvec2 whole = weft_divide(weft_count(args.count, args.options, args.count_on_device), args.group_size, rest);
  args.groups.x = whole.x + (rest > 0u ? 1u : 0u);
  args.groups.y = 1u;
  args.groups.z = 1u;
}
