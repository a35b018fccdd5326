// For each living particle: its depth from the camera and its cell, the keys of the two sorts, and its index, the value
// of both.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "particles.glsl"

layout(local_size_x = 128) in;

layout(push_constant) uniform Arguments {
  vec4 depth_row;  // dot(depth_row, (position, 1)) is the depth
  Particles living;
  Floats depths;
  Words cells, indices;
  Counters counters;
};

void main() {
  const uint i = gl_GlobalInvocationID.x;
  if (i >= counters.living) return;
  const vec3 position = living.at[i].position;
  depths.at[i] = dot(depth_row, vec4(position, 1));
  cells.at[i] = cell_of(position);
  indices.at[i] = i;
}
