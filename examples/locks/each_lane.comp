// Every lane takes the lock of its record, in a loop that the whole subgroup goes round together.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.glsl"

void main() {
  uint i = gl_GlobalInvocationID.x, index = record_of(i);
  WEFT_WITH_LOCK(args.locks, index, i < args.count) { update(index, 1u, i, i); }
}
