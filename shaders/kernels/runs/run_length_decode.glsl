// Push constants of run-length decoding.
//
// Gives:    args
#ifndef WEFT_KERNELS_RUN_LENGTH_DECODE
#define WEFT_KERNELS_RUN_LENGTH_DECODE

#include "weft/kernels/base/options.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 values;
  uvec2 offsets;
  uvec2 destination;
  WeftCount decoded;
  WeftCount runs_on_device;
  uvec2 runs;
  uvec2 capacity;
  uint options;
} args;

#endif
