// All steps of grid_steps.glsl, with a barrier for all workgroups after each.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_steps.glsl"

void main() {
  uint group = gl_WorkGroupID.x, groups = args.groups;
  if (groups == 0u && !weft_grid_discover(args.discovery, group, groups)) return;
  for (uint step = 0u; step < args.steps; ++step) {
    run_step(step, group, groups);
    weft_grid_barrier(args.barrier, group, groups);
  }
}
