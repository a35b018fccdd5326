// Heads: the elements of a tile that start a run, because they or their keys differ from the previous ones. The first
// element of the array is a head.
//
// Gives:    void weft_head_rows(x, source, tile, run, limit, out masks)   bit k for element k of this lane's pack
// Macros:   those of weft/workgroup/tile.glsl
//           K           optional: finds the heads of keys; weft/workgroup/keys.glsl is included before
//           WEFT_SAME   GLSL expression of `a` and `b`, the earlier and the later of two neighbours: true if they are
//                       in one run
// Usage:    T x[WEFT_ROWS][WEFT_PACK];
//           weft_load_rows(x, source, vectors, tile * weft_tile_blocks(), gl_SubgroupID, limit, weft_zero());
//           uint masks[WEFT_ROWS];
//           weft_head_rows(x, source, tile, gl_SubgroupID, limit, masks);
//
// Takes one shuffle of an element for each row, and reads one element more for each run of rows, the one before it. All
// lanes of the subgroup call it together.
#ifndef WEFT_WORKGROUP_HEADS
#define WEFT_WORKGROUP_HEADS

#include "weft/workgroup/select.glsl"
#extension GL_KHR_shader_subgroup_shuffle : require

#ifdef K
#define WEFT_COMPARED K
K weft_load_compared(uvec2 source, uint tile, uint element) {
  return weft_key_load_element(source, tile * weft_tile_key_blocks(), element);
}
#else
#define WEFT_COMPARED T
T weft_load_compared(uvec2 source, uint tile, uint element) {
  return weft_load_element(source, tile * weft_tile_blocks(), element);
}
#endif

bool weft_same(WEFT_COMPARED a, WEFT_COMPARED b) { return WEFT_SAME; }

// In lane 0 the element before the run of rows, if both exist; otherwise `x`.
WEFT_COMPARED weft_before_run(WEFT_COMPARED x, uvec2 source, uint tile, uint run, uint limit) {
  uint first = weft_pack_index(run, 0) * WEFT_PACK;
  if (gl_SubgroupInvocationID > 0u || first >= limit) return x;
  if (run > 0u) return weft_load_compared(source, tile, first - 1u);
  return tile > 0u ? weft_load_compared(source, tile - 1u, weft_tile_size() - 1u) : x;
}

WEFT_COMPARED weft_shuffle_compared(WEFT_COMPARED x, uint lane) {
  uint words[] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < words.length(); ++w) words[w] = subgroupShuffle(words[w], lane);
  weft_from_words(words, x);
  return x;
}

// Whether the first element of this lane's pack is the first of all.
bool weft_is_first(uint tile, uint run, int row) {
  return row == 0 && tile == 0u && run == 0u && gl_SubgroupInvocationID == 0u;
}

void weft_head_rows(WEFT_COMPARED x[WEFT_ROWS][WEFT_PACK], uvec2 source, uint tile, uint run, uint limit,
                    out uint masks[WEFT_ROWS]) {
  bool first_lane = gl_SubgroupInvocationID == 0u;
  uint lane_before = (first_lane ? gl_SubgroupSize : gl_SubgroupInvocationID) - 1u;
  WEFT_COMPARED carried = weft_before_run(x[0][0], source, tile, run, limit);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    // The first lane gets the last lane's element, which precedes its pack of the next row.
    WEFT_COMPARED rotated = weft_shuffle_compared(x[row][WEFT_PACK - 1], lane_before);
    WEFT_COMPARED before = carried;
    if (!first_lane) before = rotated;
    carried = rotated;
    uint mask = weft_is_first(tile, run, row) ? 1u : 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (!weft_same(before, x[row][k])) mask |= 1u << uint(k);
      before = x[row][k];
    }
    masks[row] = mask;
#ifdef K
    // Row by row: docs/performance-notes.md, "Limits of whole runs".
    masks[row] &= weft_all_in_pack(run, row, limit);
#endif
  }
#ifndef K
  weft_limit_rows(masks, run, limit);
#endif
}

#endif
