#version 460
// Reduction by key with atomics: table[key] = table[key] op value, for each key and value. Neighbouring lanes with the
// same key combine first, so one atomic serves all of them; with WEFT_MISSES, so do lanes anywhere in the subgroup.
//
// Inputs:  `count` keys of one word each and values of one or, with WEFT_INT64_ATOMICS, two; a table of `cells` such
//          values. Keys past its end are ignored.
// Tile:    workgroup size * WEFT_ROWS elements, one for each lane of a row (WEFT_PACK is 1).
// After:   Adinets 2014, CUDA Pro Tip: Optimized Filtering with Warp-Aggregated Atomics.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#ifdef WEFT_MISSES
#include "weft/subgroup/peers.glsl"
#endif
#include "weft/subgroup/runs.glsl"
#include "weft/workgroup/tile.glsl"

// An element as an integer, for atomics.
#if T_WORDS == 2
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define Cell uint64_t
#define WEFT_CELL_BYTES 8
uint64_t weft_cell_of(uint words[2]) { return packUint2x32(uvec2(words[0], words[1])); }
uint[2] weft_words_of(uint64_t cell) {
  uvec2 halves = unpackUint2x32(cell);
  return uint[2](halves.x, halves.y);
}
#else
#define Cell uint
#define WEFT_CELL_BYTES 4
uint weft_cell_of(uint words[1]) { return words[0]; }
uint[1] weft_words_of(uint cell) { return uint[1](cell); }
#endif

layout(buffer_reference, scalar, buffer_reference_align = WEFT_CELL_BYTES) buffer Table { Cell cell[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 keys;
  uvec2 values;
  Table table;
  WeftCount count_on_device;
  uvec2 count;
  uint cells;
  uint options;
} args;

void weft_combine_into(uint cell, T x) {
#ifdef WEFT_ATOMIC_ADD
  atomicAdd(args.table.cell[cell], weft_cell_of(weft_to_words(x)));
#else
  Cell found = atomicOr(args.table.cell[cell], Cell(0)), expected;
  do {
    expected = found;
    T current;
    weft_from_words(weft_words_of(expected), current);
    Cell wanted = weft_cell_of(weft_to_words(weft_combine(current, x)));
    if (wanted == expected) return;  // x changes nothing, now or later.
    found = atomicCompSwap(args.table.cell[cell], expected, wanted);
  } while (found != expected);
#endif
}

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint block = tile * weft_tile_blocks(), limit = weft_tile_limit(extent, tile), key_block = block / T_WORDS;

  T x[WEFT_ROWS][WEFT_PACK];
  uint keys[WEFT_ROWS];
  weft_load_rows(x, args.values, false, block, gl_SubgroupID, limit, weft_identity());
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_pack_index(gl_SubgroupID, row);
    keys[row] = 0xFFFFFFFFu;
    if (index < limit) keys[row] = weft_load_word(args.keys, key_block, index);
  }
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    bool leads = weft_subgroup_reduce_runs(keys[row], x[row][0]);
#ifdef WEFT_MISSES
    leads = weft_subgroup_reduce_peers(keys[row], leads, WEFT_MISSES, x[row][0]);
#endif
    if (leads && keys[row] < args.cells) weft_combine_into(keys[row], x[row][0]);
  }
}
