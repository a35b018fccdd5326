// Shared by the dispatches of segmented scans and reductions by workgroups of one invocation.
//
// Gives:    everything in weft/kernels/runs/segments_arguments.glsl, and weft_mark_block() for heads
//           weft_take_tile(), weft_segment_carry() and the rest of weft/device/tile_carry.glsl, for WeftSegment
//           WeftCandidates weft_head_candidates(tile, limit)
//           WeftSegment weft_tile_segment(candidates, uvec2 heads, tile, limit)
//                   the tile's total; `heads` of weft_find_heads()
// Macros:   those of weft/kernels/runs/segments.glsl; not WEFT_WIDE_INDEX with WEFT_HEADS_AT_OFFSETS
#ifndef WEFT_KERNELS_SEGMENTS_SERIAL
#define WEFT_KERNELS_SEGMENTS_SERIAL

#include "weft/kernels/runs/segments_arguments.glsl"

#ifdef WEFT_HEADS_AT_KEYS
#include "weft/thread/key.glsl"
#endif

#ifdef WEFT_HEADS_AT_OFFSETS
#include "weft/serial/offsets.glsl"
#else
#include "weft/serial/marks.glsl"
#endif

#include "weft/thread/segment.glsl"

#include "weft/device/tile_carry.glsl"

WeftCandidates weft_head_candidates(uint tile, uint limit) {
#if defined(WEFT_HEADS_AT_OFFSETS)
  return weft_candidates(args.heads, weft_segment_count() + 1u, tile, limit);
#else
  return weft_candidates(args.heads, args.heads, tile, limit);
#endif
}

WeftSegment weft_tile_segment(WeftCandidates c, uvec2 heads, uint tile, uint limit) {
  uint begin = heads.y > 0u ? c.heads + heads.y - 1u : 0u;
  uvec2 values = weft_part_of(args.source, T_BYTES, tile, begin);
  WEFT_VALUE total = weft_value_identity();
  for (uint i = 0u; i < limit - begin; ++i) total = weft_value_combine(total, weft_load_element(values, 0u, i));
  return WeftSegment(weft_index(heads.x), total);
}

#endif
