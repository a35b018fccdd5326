// Shared by the dispatches of run-length encoding: a tile's runs.
//
// Gives:    everything in weft/kernels/runs/run_length_arguments.glsl
//           uint weft_take_runs(out x, out masks, out before, tile, limit)
//                    loads the tile and ranks its heads; returns their number
//           WeftSegment weft_tile_runs(masks, before, total, limit)   the tile's total; has a barrier, and after that
//           uint weft_head_before()   the last head before the subgroup's rows, or 0 where there is none
// Macros:   those of weft/kernels/runs/run_length_arguments.glsl and weft/workgroup/heads.glsl
#ifndef WEFT_KERNELS_RUN_LENGTH
#define WEFT_KERNELS_RUN_LENGTH

#include "weft/workgroup/scan_counts.glsl"

#include "weft/kernels/runs/run_length_arguments.glsl"

#include "weft/kernels/select/selected_tile.glsl"
#include "weft/subgroup/lanes.glsl"
#include "weft/workgroup/subgroups.glsl"

uint weft_take_runs(out T x[WEFT_ROWS][WEFT_PACK], out uint masks[WEFT_ROWS], out uint before[WEFT_ROWS], uint tile,
                    uint limit) {
  weft_load_selected(x, masks, args.source, uvec2(0u), args.options, tile, limit);
  return weft_rank_selected(masks, before);
}

// For each subgroup, 1 more than the index of its last head in the tile, or 0.
shared uint weft_last_heads[WEFT_MAX_SUBGROUPS];

uint weft_last_head_of(uint subgroups) {
  uint last = 0u;
  for (uint i = 0u; i < subgroups; ++i) last = max(last, weft_last_heads[i]);
  return last;
}

uint weft_head_before() { return max(weft_last_head_of(gl_SubgroupID), 1u) - 1u; }

WeftSegment weft_tile_runs(uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint total, uint limit) {
  uint begin = subgroupBroadcastFirst(before[0]);
  uint end = subgroupShuffle(before[WEFT_ROWS - 1] + uint(bitCount(masks[WEFT_ROWS - 1])), weft_lanes() - 1u);
  if (begin == end && gl_SubgroupInvocationID == 0u) weft_last_heads[gl_SubgroupID] = 0u;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    bool last = masks[row] != 0u && before[row] + uint(bitCount(masks[row])) == end;
    uint pack = weft_pack_index(gl_SubgroupID, row) * WEFT_PACK;
    if (last) weft_last_heads[gl_SubgroupID] = pack + uint(findMSB(masks[row])) + 1u;
  }
  barrier();
  uint last = weft_last_head_of(gl_NumSubgroups);
  return WeftSegment(weft_index(total), weft_index(last > 0u ? limit - (last - 1u) : limit));
}

#endif
