// One step of grid_steps.glsl.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "grid_steps.glsl"

void main() { run_step(args.step, gl_WorkGroupID.x, gl_NumWorkGroups.x); }
