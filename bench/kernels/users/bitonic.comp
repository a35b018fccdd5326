// One step of a bitonic sort: an invocation for each two keys 256 apart, in ascending and descending blocks of 1024.
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) readonly buffer From { uint from[]; };
layout(std430, set = 0, binding = 1) writeonly buffer To { uint to[]; };
layout(push_constant) uniform Block { uint count, side; };

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
  const uint apart = 256u, block = 1024u;
  uint low = (i & ~(apart - 1u)) * 2u + (i & (apart - 1u)), high = low + apart;
  if ((low | 511u) >= count) return;
  uint a = from[low], b = from[high];
  bool ascending = (low & block) == 0u;
  if ((a > b) == ascending) {
    uint kept = a;
    a = b;
    b = kept;
  }
  to[low] = a;
  to[high] = b;
}
