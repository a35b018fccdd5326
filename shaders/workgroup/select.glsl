// The selected elements of a tile: a mask for each row, bit k for element k of this lane's pack.
//
// Gives:    void weft_select_rows(x, first, run, limit, out masks)   by the expression WEFT_WHERE; without it
//           void weft_select_rows(flags, vectors, tile, run, limit, out masks)   by flags in memory that are not zero
//           uint weft_all_in_pack(run, row, limit)   the mask of the pack's elements below `limit`
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_WHERE        optional: GLSL expression of `x`, the element, and `i`, its index (the low 32 bits). It
//                             is evaluated for elements past the limit too
//           WEFT_BYTE_FLAGS   optional: flags have 8 bits instead of 32; needs WEFT_STORAGE8
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

// Clears the bits of elements past the limit.
void weft_limit_rows(inout uint masks[WEFT_ROWS], uint run, uint limit) {
  if (weft_run_is_full(run, limit)) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) masks[row] &= weft_all_in_pack(run, row, limit);
}

#ifdef WEFT_WHERE
bool weft_where(T x, uint i) { return WEFT_WHERE; }

// `first` is the index of the tile's first element.
void weft_select_rows(T x[WEFT_ROWS][WEFT_PACK], uint first, uint run, uint limit, out uint masks[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = first + weft_pack_index(run, row) * WEFT_PACK;
    masks[row] = 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (weft_where(x[row][k], index + uint(k))) masks[row] |= 1u << uint(k);
    }
  }
  weft_limit_rows(masks, run, limit);
}

#else
#ifdef WEFT_BYTE_FLAGS
uvec2 weft_tile_flags(uvec2 flags, uint tile) {
  return weft_add(flags, weft_multiply(weft_wide(tile), weft_tile_size()));
}
bool weft_flag(uvec2 flags, uint element) { return weft_load_byte(flags, 0u, element) != 0u; }

// Bit k for byte k.
uint weft_bytes_set(uint word) {
  uint top_bits = (((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | word) & 0x80808080u;
  return ((top_bits >> 7) * 0x10204080u) >> 28;
}

#if WEFT_PACK % 4 == 0
uint weft_pack_flags(uvec2 flags, uint pack) {
  uint mask = 0u;
#if WEFT_PACK % 16 == 0
  [[unroll]] for (int v = 0; v < WEFT_PACK / 16; ++v) {
    uvec4 words = weft_load_vector(flags, 0u, pack * (WEFT_PACK / 16) + uint(v));
    [[unroll]] for (int w = 0; w < 4; ++w) mask |= weft_bytes_set(words[w]) << (16 * v + 4 * w);
  }
#else
  [[unroll]] for (int w = 0; w < WEFT_PACK / 4; ++w) {
    mask |= weft_bytes_set(weft_load_word(flags, 0u, pack * (WEFT_PACK / 4) + uint(w))) << (4 * w);
  }
#endif
  return mask;
}
#endif
#else
uvec2 weft_tile_flags(uvec2 flags, uint tile) {
  return weft_block_address(flags, tile * (gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK)));
}
bool weft_flag(uvec2 flags, uint element) { return weft_load_word(flags, 0u, element) != 0u; }

#if WEFT_PACK % 4 == 0
uint weft_pack_flags(uvec2 flags, uint pack) {
  uint mask = 0u;
  [[unroll]] for (int v = 0; v < WEFT_PACK / 4; ++v) {
    bvec4 set = notEqual(weft_load_vector(flags, 0u, pack * (WEFT_PACK / 4) + uint(v)), uvec4(0u));
    mask |= (uint(set.x) | uint(set.y) << 1 | uint(set.z) << 2 | uint(set.w) << 3) << (4 * v);
  }
  return mask;
}
#endif
#endif

// `flags` is the memory's address; `vectors`: it is a multiple of 16.
void weft_select_rows(uvec2 flags, bool vectors, uint tile, uint run, uint limit, out uint masks[WEFT_ROWS]) {
  flags = weft_tile_flags(flags, tile);
  bool whole = false;
#if WEFT_PACK % 4 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) masks[row] = weft_pack_flags(flags, weft_pack_index(run, row));
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    masks[row] = 0u;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (first + uint(k) < limit && weft_flag(flags, first + uint(k))) masks[row] |= 1u << uint(k);
    }
  }
}
#endif

#endif
