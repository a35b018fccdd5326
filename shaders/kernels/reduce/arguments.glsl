// Push constants of the reductions. Mirrored in algorithms/src/reduce/reduce.cpp.
//
// Gives:    args
#ifndef WEFT_KERNELS_REDUCE_ARGUMENTS
#define WEFT_KERNELS_REDUCE_ARGUMENTS

#include "weft/thread/count.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  uint groups;
  uint options;
} args;

#endif
