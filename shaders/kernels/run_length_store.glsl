// How run-length encoding writes a tile's runs.
//
// Gives:    void weft_store_runs(masks, before, tile, limit, total, carry, last)   `last` says that no tile follows
// Macros:   those of weft/kernels/run_length.glsl, which is included before
//
// A run's length is known where the next one starts, so each tile writes the length of the run that reaches it and of all
// of its own but the last; the last tile writes that as well.
#ifndef WEFT_KERNELS_RUN_LENGTH_STORE
#define WEFT_KERNELS_RUN_LENGTH_STORE

#include "weft/workgroup/stage.glsl"

// The elements at the heads are staged, with a barrier since.
void weft_store_runs(uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint tile, uint limit, uint total,
                     WeftSegment carry, bool last) {
  weft_store_staged(args.destination, carry.heads, 0u, total);
  barrier();
  if (total > 0u) weft_stage_indices(masks, before, 0u, 0u);
  barrier();
  // The tile's first head ends the run of the tiles before; there is none before the first tile.
  for (uint j = gl_LocalInvocationIndex; j < total; j += gl_WorkGroupSize.x) {
    WeftIndex run = weft_subtract(weft_add(carry.heads, weft_index(j)), weft_index(1u));
    if (j > 0u) {
      weft_store_index(args.lengths, run, weft_index(weft_staged[j] - weft_staged[j - 1u]));
    } else if (tile > 0u) {
      weft_store_index(args.lengths, run, weft_add(carry.value, weft_index(weft_staged[0])));
    }
  }
  if (!last || gl_LocalInvocationIndex != 0u) return;
  WeftIndex runs = weft_add(carry.heads, weft_index(total));
  args.runs.value = weft_wide(runs);
  if (runs == weft_index(0u)) return;
  WeftIndex length = total > 0u ? weft_index(limit - weft_staged[total - 1u]) : weft_add(carry.value, weft_index(limit));
  weft_store_index(args.lengths, weft_subtract(runs, weft_index(1u)), length);
}

#endif
