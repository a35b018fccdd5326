// Nothing but barriers for all workgroups, and the number that each workgroup has passed. In the first word of `b`: the
// number of workgroups.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_steps.glsl"

layout(constant_id = 0) const bool indexed = false;

void main() {
  uint group = gl_WorkGroupID.x, groups = args.groups, passed = 0u;
  if (groups == 0u && !weft_grid_discover(args.discovery, group, groups)) return;
  for (; passed < args.steps; ++passed) {
    if (indexed) {
      weft_grid_barrier(args.barrier, group, groups);
    } else {
      weft_grid_barrier(args.barrier, groups);
    }
  }
  if (gl_LocalInvocationIndex != 0u) return;
  args.a.at[group] = passed;
  if (group == 0u) args.b.at[0] = groups;
}
