// Tiles: the runs of consecutive elements that workgroups load into registers and store from there.
//
// A tile is cut into one run of WEFT_ROWS rows for each subgroup. Of each row each lane holds a pack of WEFT_PACK
// consecutive elements, and the lanes' packs lie side by side, so that a row is read and written as one stretch of
// memory, in 16-byte vectors where it is aligned. The order of a tile's elements is: subgroup, row, lane, pack.
//
// Gives:    what weft/workgroup/extent.glsl gives
//           weft_tile_blocks()      256-byte blocks of a tile, for places in memory
//           weft_load_rows(x, source, vectors, block, run, limit, outside)
//           weft_store_rows(x, destination, vectors, block, run, limit)
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           T_BYTES      optional: its size in memory where that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           WEFT_ROWS    rows: the more, the more loads are under way at once, and the more registers are held
//           WEFT_PACK    optional, see weft/thread/pack_size.glsl
// Usage:    layout(local_size_x = 256) in;
//           #define T float
//           #define T_WORDS 1
//           #define WEFT_ROWS 4
//           #include "weft/workgroup/tile.glsl"
//           ...
//           WeftExtent extent = weft_extent(args.count);
//           uint block = tile * weft_tile_blocks(), limit = weft_tile_limit(extent, tile);
//           T x[WEFT_ROWS][WEFT_PACK];
//           weft_load_rows(x, uvec2(args.input), true, block, gl_SubgroupID, limit, 0.0);
//
// The workgroup's size is a multiple of 64 and of the subgroup size.
#ifndef WEFT_WORKGROUP_TILE
#define WEFT_WORKGROUP_TILE

#include "weft/thread/count.glsl"
#include "weft/thread/elements.glsl"
#include "weft/thread/memory.glsl"
#include "weft/thread/pack_size.glsl"
#include "weft/workgroup/extent.glsl"

uint weft_tile_blocks() { return gl_WorkGroupSize.x / 64u * (WEFT_ROWS * WEFT_PACK_WORDS); }

#if WEFT_PACK * T_BYTES % 16 == 0
void weft_load_pack(out T x[WEFT_PACK], uvec2 source, uint block, uint pack) {
  uint words[WEFT_PACK_WORDS];
  [[unroll]] for (int v = 0; v < WEFT_PACK_WORDS / 4; ++v) {
    uvec4 vector = weft_load_vector(source, block, pack * (WEFT_PACK_WORDS / 4) + uint(v));
    [[unroll]] for (int w = 0; w < 4; ++w) words[v * 4 + w] = vector[w];
  }
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    uint element[T_WORDS];
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
#if T_UNIT_BYTES < 4
      const int byte = (k * T_WORDS + w) * T_UNIT_BYTES;
      element[w] = words[byte / 4] >> (byte % 4 * 8);
#else
      element[w] = words[k * T_WORDS + w];
#endif
    }
    weft_from_words(element, x[k]);
  }
}

void weft_store_pack(T x[WEFT_PACK], uvec2 destination, uint block, uint pack) {
  uint words[WEFT_PACK_WORDS];
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    uint element[T_WORDS] = weft_to_words(x[k]);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
#if T_UNIT_BYTES < 4
      const int byte = (k * T_WORDS + w) * T_UNIT_BYTES, shift = byte % 4 * 8;
      uint bits = (element[w] & (0xFFFFFFFFu >> (32 - T_UNIT_BYTES * 8))) << shift;
      words[byte / 4] = shift == 0 ? bits : words[byte / 4] | bits;
#else
      words[k * T_WORDS + w] = element[w];
#endif
    }
  }
  [[unroll]] for (int v = 0; v < WEFT_PACK_WORDS / 4; ++v) {
    uvec4 vector = uvec4(words[v * 4], words[v * 4 + 1], words[v * 4 + 2], words[v * 4 + 3]);
    weft_store_vector(destination, block, pack * (WEFT_PACK_WORDS / 4) + uint(v), vector);
  }
}
#endif

// Loads the run-th run of rows from `block` on, where `limit` elements lie; `outside` stands for what lies behind them,
// which is not read. `vectors` says that the memory starts at a multiple of 16 bytes.
void weft_load_rows(out T x[WEFT_ROWS][WEFT_PACK], uvec2 source, bool vectors, uint block, uint run, uint limit,
                    T outside) {
  bool whole = false;
#if WEFT_PACK * T_BYTES % 16 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      weft_load_pack(x[row], source, block, weft_pack_index(run, row));
    }
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      x[row][k] = outside;
      if (first + uint(k) < limit) x[row][k] = weft_load_element(source, block, first + uint(k));
    }
  }
}

// The counterpart: stores the elements below `limit` and nothing else.
void weft_store_rows(T x[WEFT_ROWS][WEFT_PACK], uvec2 destination, bool vectors, uint block, uint run, uint limit) {
  bool whole = false;
#if WEFT_PACK * T_BYTES % 16 == 0
  whole = vectors && weft_run_is_full(run, limit);
  if (whole) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      weft_store_pack(x[row], destination, block, weft_pack_index(run, row));
    }
  }
#endif
  if (whole) return;
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint first = weft_pack_index(run, row) * WEFT_PACK;
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if (first + uint(k) < limit) weft_store_element(destination, block, first + uint(k), x[row][k]);
    }
  }
}

#endif
