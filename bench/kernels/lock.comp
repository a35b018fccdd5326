// Each invocation adds its number to a record of three words, chosen by a hash: under its lock, or by three atomics.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/device/lock.glsl"

layout(local_size_x = 256) in;
layout(constant_id = 0) const bool by_atomics = false;

struct Record {
  uint updates, sum, largest;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Records { nonprivate Record at[]; };
layout(push_constant, scalar) uniform Block {
  WeftLocks locks;
  Records records;
  uint count, number;
};

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  uint index = (i * 2654435769u >> 7u) % number;
  bool inside = i < count;
  if (by_atomics) {
    if (!inside) return;
    atomicAdd(records.at[index].updates, 1u);
    atomicAdd(records.at[index].sum, i);
    atomicMax(records.at[index].largest, i);
    return;
  }
  WEFT_WITH_LOCK(locks, index, inside) {
    Record old = records.at[index];
    records.at[index] = Record(old.updates + 1u, old.sum + i, max(old.largest, i));
  }
}
