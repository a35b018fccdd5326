// Counts how often each invocation of a three-dimensional dispatch runs, and how often its built-ins are wrong.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(push_constant, scalar) uniform Push {
  Words visits;  // one word for each invocation
  Words errors;  // one word
} push;

void main() {
  uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize;
  uvec3 at = gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID;
  bool wrong = at != gl_GlobalInvocationID || gl_LocalInvocationIndex != (gl_LocalInvocationID.z * gl_WorkGroupSize.y +
      gl_LocalInvocationID.y) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (wrong) atomicAdd(push.errors.v[0], 1);
  atomicAdd(push.visits.v[(at.z * size.y + at.y) * size.x + at.x], 1);
}
