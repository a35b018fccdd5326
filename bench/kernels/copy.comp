// Copies `count` uvec4. Its rate is the yardstick for the other kernels.
// Tile: 8 uvec4 per invocation, a workgroup size apart, all loaded before the first is stored.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Source { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Destination { uvec4 v[]; };
layout(push_constant) uniform Block {
  Source source;
  Destination destination;
  uint count;
};

const uint items = 8;

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint first = group * (256 * items) + gl_LocalInvocationID.x;
  uvec4 x[items];
  if (first + (items - 1) * 256 < count) {
    [[unroll]] for (uint i = 0; i < items; ++i) x[i] = source.v[first + i * 256];
    [[unroll]] for (uint i = 0; i < items; ++i) destination.v[first + i * 256] = x[i];
  } else {
    for (uint i = 0; i < items; ++i) {
      uint at = first + i * 256;
      if (at < count) destination.v[at] = source.v[at];
    }
  }
}
