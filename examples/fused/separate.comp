// One phase of the pipeline, a workgroup for each tile.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "pipeline.glsl"

void main() { run_phase(args.phase, gl_WorkGroupID.x); }
