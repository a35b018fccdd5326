// Counts the triangles at each vertex: one atomic add for each corner of the mesh.
#version 460
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 256) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Corners { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Counts { uint at[]; };
layout(push_constant) uniform Arguments {
  Corners corners;
  Counts counts;  // zero at the start
  uint count;     // number of corners
};

void main() {
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    atomicAdd(counts.at[corners.at[i]], 1);
  }
}
