// No lock: an atomic for each word. Right where nobody needs the three words to agree before the dispatch ends.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.glsl"

void main() {
  uint i = gl_GlobalInvocationID.x, index = record_of(i);
  if (i >= args.count) return;
  atomicAdd(args.records.at[index].updates, 1u);
  atomicAdd(args.records.at[index].sum, i);
  atomicMax(args.records.at[index].largest, i);
}
