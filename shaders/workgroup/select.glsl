// Which elements of a tile are selected: a mask for each row, bit k for element k of this lane's pack.
//
// Gives:    void weft_select_rows(x, first, run, limit, out masks)   by the expression WEFT_WHERE; without it
//           void weft_select_rows(flags, vectors, block, run, limit, out masks)   by 32-bit flags in memory
//           uint weft_all_in_pack(run, row, limit)   the mask of all elements of the pack that the tile has
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_WHERE   optional: GLSL expression of `x`, the element, and `i`, its index (the low 32 bits)
// Usage:    uint masks[WEFT_ROWS];
//           weft_select_rows(x, tile * weft_tile_size(), gl_SubgroupID, limit, masks);
#ifndef WEFT_WORKGROUP_SELECT
#define WEFT_WORKGROUP_SELECT

#include "weft/workgroup/tile.glsl"

uint weft_all_in_pack(uint run, int row, uint limit) {
  uint first = weft_pack_index(run, row) * WEFT_PACK;
  uint there = first < limit ? min(limit - first, uint(WEFT_PACK)) : 0u;
  return (1u << there) - 1u;
}

#ifdef WEFT_WHERE
bool weft_where(T x, uint i) { return WEFT_WHERE; }

// `first` is the index of the tile's first element.
void weft_select_rows(T x[WEFT_ROWS][WEFT_PACK], uint first, uint run, uint limit, out uint masks[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = first + weft_pack_index(run, row) * WEFT_PACK;
    uint there = weft_all_in_pack(run, row, limit);
    masks[row] = 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uint bit = 1u << uint(k);
      if ((there & bit) != 0u && weft_where(x[row][k], index + uint(k))) masks[row] |= bit;
    }
  }
}

#else
// `flags` is the memory's address, `block` where the tile's flags start, `vectors` as for weft_load_rows().
void weft_select_rows(uvec2 flags, bool vectors, uint block, uint run, uint limit, out uint masks[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint pack = weft_pack_index(run, row);
    uint there = weft_all_in_pack(run, row, limit);
    masks[row] = 0u;
    bool whole = false;
#if WEFT_PACK % 4 == 0
    whole = vectors && there == (1u << WEFT_PACK) - 1u;
    if (whole) {
      [[unroll]] for (int v = 0; v < WEFT_PACK / 4; ++v) {
        bvec4 set = notEqual(weft_load_vector(flags, block, pack * (WEFT_PACK / 4) + uint(v)), uvec4(0u));
        masks[row] |= (uint(set.x) | uint(set.y) << 1 | uint(set.z) << 2 | uint(set.w) << 3) << (4 * v);
      }
    }
#endif
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      uint bit = 1u << uint(k);
      bool wanted = !whole && (there & bit) != 0u;
      if (wanted && weft_load_word(flags, block, pack * WEFT_PACK + uint(k)) != 0u) masks[row] |= bit;
    }
  }
}
// Blocks of a tile's flags.
uint weft_tile_flag_blocks() { return gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK); }
#endif

#endif
