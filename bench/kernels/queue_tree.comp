// Takes each task of a binary tree from a queue, and puts its children there: task i has children 2 i + 1 and 2 i + 2.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/device/work_queue.glsl"

layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
layout(push_constant, scalar) uniform Block {
  WeftWorkQueue queue;
  Words done;  // Of each task: how often it was done.
  uint count;
}
args;

void main() {
  uint task;
  while (weft_work_take(args.queue, task)) {
    uint child = 2u * task + 1u + gl_LocalInvocationIndex;
    if (gl_LocalInvocationIndex < 2u && child < args.count) weft_work_push(args.queue, child);
    if (gl_LocalInvocationIndex == 0u) args.done.at[task] += 1u;
    weft_work_finish(args.queue);
  }
}
