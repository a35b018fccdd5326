// All phases of the pipeline, by workgroups that stay: a barrier for all of them ends each phase.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "pipeline.glsl"

void main() {
  uint group = gl_WorkGroupID.x, groups = args.groups;
  if (groups == 0u && !weft_grid_discover(args.discovery, group, groups)) return;
  for (uint phase = 0u; phase < phases(); ++phase) {
    for (uint tile = group; tile < tiles_of(phase); tile += groups) run_phase(phase, tile);
    weft_grid_barrier(args.barrier, groups);
  }
}
