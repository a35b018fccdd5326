// Shared by the dispatches of a split by workgroups of one invocation.
//
// Gives:    everything in weft/kernels/select/split_arguments.glsl and weft/serial/select.glsl
//           uvec2 weft_count_sides(candidates)   the elements of the first two outputs
// Macros:   those of weft/kernels/select/split_arguments.glsl and weft/serial/select.glsl
#ifndef WEFT_KERNELS_SPLIT_SERIAL
#define WEFT_KERNELS_SPLIT_SERIAL

#include "weft/kernels/select/split_arguments.glsl"
#include "weft/serial/select.glsl"

uvec2 weft_count_sides(WeftCandidates candidates) {
  candidates.side = 0u;
  uint first = weft_count_selected(candidates);
  candidates.side = 1u;
  return uvec2(first, weft_count_selected(candidates));
}

#endif
