// Push constants of a radix sort of one tile. Mirrored in algorithms/src/sort/radix_one_tile.cpp.
//
// Gives:    args
// Macros:   those of weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_ONE_TILE_ARGUMENTS
#define WEFT_KERNELS_ONE_TILE_ARGUMENTS

#include "weft/kernels/sort/radix_arguments.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftSortArguments sort;
  uint width;
  uint end;
} args;

#endif
