// Shared by the dispatches of segmented scans and reductions: heads, and the scan of a tile.
//
// Gives:    everything in weft/kernels/runs/segments_arguments.glsl
//           weft_take_tile(), weft_segment_carry() and the rest of weft/device/tile_carry.glsl, for WeftSegment
//           WeftTileHeads weft_load_heads(out masks, tile, limit)
//                    the heads' masks; returns the keys, or the range of the tile's offsets
//           void weft_load_values(out x, tile, limit)
//           void weft_scan_segments(x, masks, out before, out total)
//                    the WeftSegment before each row's pack, and the tile's
// Macros:   those of weft/thread/element_type.glsl, weft/thread/segment.glsl and weft/device/tile_carry.glsl
//           where heads are, one of:
//           WEFT_HEADS_AT_KEYS      elements whose key differs from the one before: macros of weft/workgroup/keys.glsl
//                                   and heads.glsl
//           WEFT_HEADS_AT_FLAGS     elements with a 32-bit flag that is not zero
//           WEFT_HEADS_AT_OFFSETS   elements that an ascending list of offsets names
#ifndef WEFT_KERNELS_SEGMENTS
#define WEFT_KERNELS_SEGMENTS

#include "weft/kernels/runs/segments_arguments.glsl"

#include "weft/workgroup/tile.glsl"
#if defined(WEFT_HEADS_AT_KEYS)
#include "weft/workgroup/keys.glsl"

#include "weft/workgroup/heads.glsl"
#elif defined(WEFT_HEADS_AT_OFFSETS)
#include "weft/workgroup/heads_at_offsets.glsl"
#elif defined(WEFT_HEADS_AT_FLAGS)
#include "weft/workgroup/select.glsl"
#endif

#include "weft/thread/segment.glsl"

#include "weft/workgroup/scan.glsl"

#include "weft/device/tile_carry.glsl"

struct WeftTileHeads {
#if defined(WEFT_HEADS_AT_KEYS)
  K keys[WEFT_ROWS][WEFT_PACK];
#elif defined(WEFT_HEADS_AT_OFFSETS)
  WeftOffsetRange offsets;
#else
  uint none;
#endif
};

WeftTileHeads weft_load_heads(out uint masks[WEFT_ROWS], uint tile, uint limit) {
  WeftTileHeads heads;
#if defined(WEFT_HEADS_AT_KEYS)
  weft_load_keys(heads.keys, args.heads, weft_has(args.options, weft_flags_vectors), tile, gl_SubgroupID, limit);
  weft_head_rows(heads.keys, args.heads, tile, gl_SubgroupID, limit, masks);
#elif defined(WEFT_HEADS_AT_OFFSETS)
  WeftIndex number = weft_add(weft_segment_count(), weft_index(1u));
  heads.offsets = weft_head_rows_at(args.heads, number, tile, limit, masks);
#else
  heads.none = 0u;
  weft_select_rows(args.heads, weft_has(args.options, weft_flags_vectors), tile, gl_SubgroupID, limit, masks);
  bool first = tile == 0u && gl_LocalInvocationIndex == 0u && limit > 0u;
  if (first) masks[0] |= 1u;  // A head, whatever its flag.
#endif
  return heads;
}

void weft_load_values(out WEFT_VALUE x[WEFT_ROWS][WEFT_PACK], uint tile, uint limit) {
  weft_load_rows(x, args.source, weft_has(args.options, weft_source_vectors), tile * weft_tile_blocks(), gl_SubgroupID,
                 limit, weft_value_identity());
}

bool weft_is_head(uint mask, int k) { return (mask & (1u << uint(k))) != 0u; }

void weft_scan_segments(WEFT_VALUE x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], out WeftSegment before[WEFT_ROWS],
                        out WeftSegment total) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    WEFT_VALUE value = x[row][0];
    [[unroll]] for (int k = 1; k < WEFT_PACK; ++k) {
      WEFT_VALUE joined = weft_value_combine(value, x[row][k]);
      value = x[row][k];
      if (!weft_is_head(masks[row], k)) value = joined;
    }
    before[row] = WeftSegment(weft_index(uint(bitCount(masks[row]))), value);
  }
  weft_segment_workgroup_scan_rows(before, total);
}

#endif
