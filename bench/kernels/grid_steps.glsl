// Steps over an array of words, each of which depends on the step before: `input` into a, then a into b and b into a.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#include "weft/device/grid_barrier.glsl"
#include "weft/device/grid_discover.glsl"

layout(local_size_x = 256) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { nonprivate uint at[]; };
layout(push_constant, scalar) uniform Block {
  Words source, a, b;
  WeftGridBarrier barrier;
  WeftGridDiscovery discovery;
  uint count;
  uint steps;
  uint step;    // For a launch of one step.
  uint groups;  // For one launch of all: the number of workgroups, or 0 to find it out.
}
args;

void do_step(Words source, Words destination, uint group, uint groups) {
  for (uint i = group * 256u + gl_LocalInvocationIndex; i < args.count; i += groups * 256u) {
    destination.at[i] = source.at[i] * 1664525u + source.at[i + 1u == args.count ? 0u : i + 1u];
  }
}

void run_step(uint step, uint group, uint groups) {
  if (step == 0u) {
    do_step(args.source, args.a, group, groups);
  } else if ((step & 1u) != 0u) {
    do_step(args.a, args.b, group, groups);
  } else {
    do_step(args.b, args.a, group, groups);
  }
}
