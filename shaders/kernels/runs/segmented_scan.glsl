// How segmented scans end: from what comes before each pack to each element's result.
//
// Gives:    void weft_finish_scan(x, masks, before, carry, tile, limit)
// Macros:   those of weft/kernels/runs/segments.glsl, which is included before
//           WEFT_EXCLUSIVE   define it where an element's own value does not count
//           WEFT_INITIAL     optional: an expression that comes before the elements of each segment
#ifndef WEFT_KERNELS_SEGMENTED_SCAN
#define WEFT_KERNELS_SEGMENTED_SCAN

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

#endif
