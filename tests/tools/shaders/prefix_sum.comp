// Prefix sums and totals of blocks of 1024, by subgroup operations.
#version 450
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
layout(local_size_x = 256) in;
layout(binding = 0) buffer Data { uvec4 data[]; };
layout(binding = 1) writeonly buffer Totals { uint totals[]; };
shared uint partial[256];

void main() {
  uvec4 v = data[gl_GlobalInvocationID.x];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  uint inclusive = subgroupInclusiveAdd(v.w);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) partial[gl_SubgroupID] = inclusive;
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    uint sum = 0;
    for (uint i = 0; i < gl_NumSubgroups; ++i) {
      uint mine = partial[i];
      partial[i] = sum;
      sum += mine;
    }
    totals[gl_WorkGroupID.x] = sum;
  }
  barrier();
  data[gl_GlobalInvocationID.x] = v + (inclusive - v.w + partial[gl_SubgroupID]);
}
