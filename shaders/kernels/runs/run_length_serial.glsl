// Shared by the dispatches of run-length encoding by workgroups of one invocation.
//
// Gives:    everything in weft/kernels/runs/run_length_arguments.glsl and weft/serial/select.glsl, for heads
//           WeftSegment weft_tile_runs(candidates)   the tile's total
// Macros:   those of weft/kernels/runs/run_length_arguments.glsl and weft/serial/select.glsl
#ifndef WEFT_KERNELS_RUN_LENGTH_SERIAL
#define WEFT_KERNELS_RUN_LENGTH_SERIAL

#include "weft/kernels/runs/run_length_arguments.glsl"
#include "weft/serial/select.glsl"

WeftSegment weft_tile_runs(WeftCandidates c) {
  uvec2 heads = weft_find_heads(c);
  uint length = heads.y > 0u ? c.count + 1u - heads.y : c.heads + c.count;
  return WeftSegment(weft_index(heads.x), weft_index(length));
}

#endif
