#version 460
// Enqueue with one atomic for each subgroup and element of its packs: a ballot ranks the lanes.
//
// Inputs:  `count` elements at source; the queue's count, set to zero; one workgroup for each tile.
// Tile:    workgroup size * WEFT_ROWS packs.
// After:   Adinets 2014, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/select/enqueue.glsl"

void main() {
  T x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS], limit;
  if (!weft_load_own_tile(x, masks, limit)) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      bool wanted = (masks[row] & (1u << uint(k))) != 0u;
      WeftIndex slot = weft_enqueue_subgroup(args.queue, wanted);
      if (wanted) weft_store_at(args.destination, slot, x[row][k]);
    }
  }
}
