#version 460
// Segmented prefix scan: each segment's elements are scanned as if it were alone. In one pass with WEFT_LOOK_BACK,
// otherwise the last of three dispatches.
//
// Inputs:  `count` elements at source; heads (weft/kernels/runs/segments.glsl); ticket and carries of
//          weft/device/tile_carry.glsl.
// Macros:  WEFT_EXCLUSIVE   optional: an element's result leaves out its own value
//          WEFT_INITIAL     optional: an expression, the element that comes before those of each segment
// Tile:    workgroup size * WEFT_ROWS packs, held in registers from the only read to the only write. In place works: a
//          tile is read before it is written, and by one workgroup.
// After:   Merrill and Garland 2016, Single-pass Parallel Prefix Scan with Decoupled Look-back; without WEFT_LOOK_BACK
//          Blelloch 1990, Prefix Sums and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/runs/segments.glsl"

#ifdef WEFT_INITIAL
WEFT_VALUE weft_scan_start() { return weft_initial(); }
WEFT_VALUE weft_scan_from_start(WEFT_VALUE x) { return weft_value_combine(weft_initial(), x); }
#else
WEFT_VALUE weft_scan_start() { return weft_value_identity(); }
WEFT_VALUE weft_scan_from_start(WEFT_VALUE x) { return x; }
#endif

void weft_scan_pack(inout WEFT_VALUE x[WEFT_PACK], uint mask, WEFT_VALUE running) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if (weft_is_head(mask, k)) running = weft_scan_start();
    WEFT_VALUE next = weft_value_combine(running, x[k]);
#ifdef WEFT_EXCLUSIVE
    x[k] = running;
#if defined(WEFT_NOTHING_DIFFERS) && !defined(WEFT_INITIAL)
    if (weft_is_head(mask, k)) x[k] = weft_value_nothing();
#endif
#else
    x[k] = next;
#endif
    running = next;
  }
}

void weft_finish_scan(WEFT_VALUE x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], WeftSegment before[WEFT_ROWS],
                      WeftSegment carry, uint tile, uint limit) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    WEFT_VALUE running = weft_scan_from_start(weft_segment_combine(carry, before[row]).value);
    weft_scan_pack(x[row], masks[row], running);
  }
  weft_store_rows(x, args.destination, weft_has(args.options, weft_destination_vectors), tile * weft_tile_blocks(),
                  gl_SubgroupID, limit);
}

void main() {
  WeftExtent extent = weft_segments_extent();
  uint tile = weft_take_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);

  WEFT_VALUE x[WEFT_ROWS][WEFT_PACK];
  uint masks[WEFT_ROWS];
  weft_load_values(x, tile, limit);
  weft_load_heads(masks, tile, limit);
#ifdef WEFT_NOTHING_DIFFERS
  if (tile == 0u && gl_LocalInvocationIndex == 0u) masks[0] |= 1u;  // Offsets may begin later.
#endif
  WeftSegment before[WEFT_ROWS], total;
  weft_scan_segments(x, masks, before, total);
  WeftSegment carry = weft_segment_carry(args.carries, tile, total);
  weft_finish_scan(x, masks, before, carry, tile, limit);
}
