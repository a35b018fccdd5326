// The lock that everybody writes first. It never ends on a device that runs the lanes of a subgroup in lockstep: the
// lane that got the lock waits behind the loop for the others, which wait in the loop for the lock.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.glsl"

void main() {
  uint i = gl_GlobalInvocationID.x, index = record_of(i);
  if (i >= args.count) return;
  while (!weft_try_lock(args.locks, index)) {
  }
  update(index, 1u, i, i);
  weft_unlock(args.locks, index);
}
