// All lanes of a subgroup update the same record: they combine first, and one takes the lock for all.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.glsl"

void main() {
  uint i = gl_GlobalInvocationID.x, index = record_of(i);
  bool inside = i < args.count;
  uint updates = subgroupAdd(uint(inside)), sum = subgroupAdd(inside ? i : 0u), largest = subgroupMax(inside ? i : 0u);
  WEFT_WITH_LOCK(args.locks, index, subgroupElect() && updates > 0u) { update(index, updates, sum, largest); }
}
