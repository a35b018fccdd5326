// A tile and its selected elements, for compaction, partition, split, enqueue and run-length encoding.
//
// Gives:    void weft_load_selected(out x, out masks, source, flags, options, tile, limit)
//           void weft_load_masks(out masks, source, flags, options, tile, limit)   the masks alone
//           uint weft_rank_selected(masks, out before)
//                    the numbers of selected elements before each row's pack; returns that of the tile
// Macros:   those of weft/workgroup/select.glsl; with WEFT_SAME those of weft/workgroup/heads.glsl, whose heads are
//           selected
//           WEFT_COUNT_BITS   8 or 16: bits for the number of a subgroup's elements of a row
#ifndef WEFT_KERNELS_SELECTED_TILE
#define WEFT_KERNELS_SELECTED_TILE

#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/scan_counts.glsl"
#ifdef WEFT_SAME
#include "weft/workgroup/heads.glsl"
#else
#include "weft/workgroup/select.glsl"
#endif

void weft_load_selected(out T x[WEFT_ROWS][WEFT_PACK], out uint masks[WEFT_ROWS], uvec2 source, uvec2 flags,
                        uint options, uint tile, uint limit) {
  weft_load_rows(x, source, weft_has(options, weft_source_vectors), tile * weft_tile_blocks(), gl_SubgroupID, limit,
                 weft_zero());
#if defined(WEFT_SAME)
  weft_head_rows(x, source, tile, gl_SubgroupID, limit, masks);
#elif defined(WEFT_WHERE)
  weft_select_rows(x, tile * weft_tile_size(), gl_SubgroupID, limit, masks);
#else
  weft_select_rows(flags, weft_has(options, weft_flags_vectors), tile, gl_SubgroupID, limit, masks);
#endif
}

void weft_load_masks(out uint masks[WEFT_ROWS], uvec2 source, uvec2 flags, uint options, uint tile, uint limit) {
#if defined(WEFT_SAME) || defined(WEFT_WHERE)
  T x[WEFT_ROWS][WEFT_PACK];
  weft_load_selected(x, masks, source, flags, options, tile, limit);
#else
  weft_select_rows(flags, weft_has(options, weft_flags_vectors), tile, gl_SubgroupID, limit, masks);
#endif
}

// One scan takes the counts of several rows, in WEFT_COUNT_BITS each.
uint weft_rank_selected(uint masks[WEFT_ROWS], out uint before[WEFT_ROWS]) {
  uint part = 0u, total;
  const int together = 32 / WEFT_COUNT_BITS;
  [[unroll]] for (int first = 0; first < WEFT_ROWS; first += together) {
    uint counts = 0u, totals;
    [[unroll]] for (int row = first; row < min(first + together, WEFT_ROWS); ++row) {
      counts |= uint(bitCount(masks[row])) << (WEFT_COUNT_BITS * (row - first));
    }
    uint within = weft_count_subgroup_exclusive_scan(counts, totals);
    [[unroll]] for (int row = first; row < min(first + together, WEFT_ROWS); ++row) {
      before[row] = part + bitfieldExtract(within, WEFT_COUNT_BITS * (row - first), WEFT_COUNT_BITS);
      part += bitfieldExtract(totals, WEFT_COUNT_BITS * (row - first), WEFT_COUNT_BITS);
    }
  }
  part = weft_count_workgroup_scan_parts(part, total);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) before[row] += part;
  return total;
}

#endif
