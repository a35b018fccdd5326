// What the kernels of run-length encoding share: their push constants, and what they do with a tile.
//
// Gives:    args, weft_run_extent()
//           uint weft_take_runs(x, masks, before, tile, limit)   loads the tile and ranks its heads; how many there are
//           WeftSegment weft_tile_runs(masks, before, total, limit)   what the tile is to those after it; has a barrier
//           uint weft_head_before()   after that: the last head before the subgroup's rows, or 0 where there is none
// Macros:   those of weft/thread/element.glsl, weft/thread/segment.glsl and weft/workgroup/heads.glsl
//           WEFT_LOOK_BACK   define it for weft_segment_look_back()
#ifndef WEFT_KERNELS_RUN_LENGTH
#define WEFT_KERNELS_RUN_LENGTH

#include "weft/workgroup/scan_counts.glsl"

// How many runs start in all tiles before one, and how long the last of them is so far.
#include "weft/thread/count.glsl"
#define T WeftIndex
#define WEFT_COMBINE weft_add(a, b)
#define WEFT_IDENTITY weft_index(0u)
#include "weft/thread/segment.glsl"

#ifdef WEFT_LOOK_BACK
#include "weft/device/look_back.glsl"
#endif
#undef T
#undef WEFT_OP

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/runs/segment_totals.glsl"
#include "weft/kernels/select/selected_tile.glsl"
#include "weft/subgroup/lanes.glsl"
#include "weft/workgroup/subgroups.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 lengths;
  WeftCount runs;
  WeftCount count_on_device;
  uvec2 count;
  WeftTicket ticket;
  uvec2 carries;
  uint options;
} args;

WeftExtent weft_run_extent() {
  return weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
}

uint weft_take_runs(out T x[WEFT_ROWS][WEFT_PACK], out uint masks[WEFT_ROWS], out uint before[WEFT_ROWS], uint tile,
                    uint limit) {
  weft_load_selected(x, masks, args.source, uvec2(0u), args.options, tile, limit);
  return weft_rank_selected(masks, before);
}

// For each subgroup, one more than where in the tile its last head is, or 0.
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
