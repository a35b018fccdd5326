// Each invocation pushes its index into a queue and pops an item, alone or with its subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/device/work_queue.glsl"

layout(local_size_x = 256) in;
layout(constant_id = 0) const bool by_subgroup = false;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(push_constant, scalar) uniform Block {
  WeftWorkQueue queue;
  Words popped;  // What each invocation popped, or all ones.
  uint count;
}
args;

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  bool wanted = i < args.count;
  uint item = 0u;
  bool found = false;
  if (by_subgroup) {
    weft_queue_push_subgroup(args.queue, wanted, i);
    found = weft_queue_pop_subgroup(args.queue, wanted, item);
  } else if (wanted) {
    weft_queue_push(args.queue, i);
    found = weft_queue_pop(args.queue, item);
  }
  if (wanted) args.popped.at[i] = found ? item : ~0u;
}
