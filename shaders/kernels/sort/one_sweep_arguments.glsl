// Push constants of a pass of Onesweep. Mirrored in algorithms/src/sort/radix_one_sweep.cpp.
//
// Gives:    args
//           WeftDigitTotals   buffer reference to the number of all keys of each digit
// Macros:   those of weft/workgroup/extent.glsl
#ifndef WEFT_KERNELS_ONE_SWEEP_ARGUMENTS
#define WEFT_KERNELS_ONE_SWEEP_ARGUMENTS

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/digit_totals.glsl"
#include "weft/kernels/sort/radix_arguments.glsl"

layout(push_constant, scalar) uniform Arguments {
  WeftSortArguments sort;
  WeftTicket ticket;
  WeftDigitTotals totals;
  uvec2 states;
  uvec2 next_states;
} args;

#endif
