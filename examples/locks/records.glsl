// What the kernels of this example have in common. Each invocation adds its number to a record of three words.
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "weft/device/lock.glsl"

layout(local_size_x = 64) in;

struct Record {
  uint updates, sum, largest;
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Records { nonprivate Record at[]; };
layout(push_constant, scalar) uniform Arguments {
  WeftLocks locks;  // one for each record, all zero
  Records records;
  uint count;    // of invocations
  uint number;   // of records
  uint sharing;  // invocations in a row that update the same record
  uint unused;
} args;

uint record_of(uint i) { return i / args.sharing * 2654435761u % args.number; }

void update(uint index, uint updates, uint sum, uint largest) {
  Record old = args.records.at[index];
  args.records.at[index] = Record(old.updates + updates, old.sum + sum, max(old.largest, largest));
}
