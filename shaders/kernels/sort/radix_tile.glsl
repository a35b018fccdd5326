// A tile of a radix sort, from registers to the ranks of its keys and values, for passes with and without look-back.
//
// Gives:    everything in weft/kernels/sort/radix_arguments.glsl
//           weft_load_digits(), weft_count_tile(), weft_count_within(), weft_rank_tile(), weft_stage_keys(),
//           weft_load_values_beside(), weft_stage_values_beside(), weft_digit_origin[], weft_scatter_tile(): see below;
//           a kernel calls them in that order
//           weft_stage_bits(), weft_staged_bits(): single elements in workgroup memory
// Macros:   WEFT_KEY_BYTES, and those of weft/thread/radix_key.glsl
//           WEFT_VALUE_BYTES     optional: bytes of a value, 1, 2, 4 or 8; without it there are only keys
//           WEFT_STAGED_ROWS     rows that workgroup memory holds at once, a part of the sorted tile
//           WEFT_VALUES_BESIDE_KEYS   optional: workgroup memory holds a part's keys and values at once, so both are
//                                     stored together. Without it values follow once all keys are stored
//           WEFT_FAR_MEMORY      define it if keys or values reach 4 GiB
//           those of weft/workgroup/rank_digits.glsl, whose memory also holds a part's keys and values
#ifndef WEFT_KERNELS_RADIX_TILE
#define WEFT_KERNELS_RADIX_TILE

#include "weft/kernels/sort/radix_arguments.glsl"
#include "weft/kernels/sort/radix_rows.glsl"
#include "weft/thread/radix_key.glsl"
#include "weft/workgroup/rank_digits.glsl"

// Keys past the limit are ones that no key comes after.
void weft_load_digits(WeftSortArguments arguments, uint tile, uint limit, out uvec2 key[WEFT_ROWS],
                      out uint digit[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) key[row] = weft_last_key();
  weft_load_sort_tile(arguments.keys, WEFT_KEY_BYTES, tile, limit, key);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    digit[row] = weft_digit(key[row], arguments.begin, arguments.mask);
  }
}

shared uint weft_digit_of_all;  // 1 more than the digit of all the tile's keys, if they share one.

// Counts the tile's digits. The count of the last digit includes the keys past the limit.
void weft_count_tile(uint digit[WEFT_ROWS], out uint count[WEFT_OWN_DIGITS]) {
  if (gl_LocalInvocationIndex == 0u) weft_digit_of_all = 0u;
  weft_count_digits(digit, count);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    if (count[k] == weft_tile_size()) weft_digit_of_all = weft_own_digit(k) + 1u;
  }
}

// The tile's number of keys of this invocation's k-th digit.
uint weft_count_within(uint count[WEFT_OWN_DIGITS], int k, uint mask, uint limit) {
  return count[k] - (weft_own_digit(k) == mask ? weft_tile_size() - limit : 0u);
}

// The rank of each key in the sorted tile; `first`: of the first key of each of this invocation's digits. Keys that all
// share one digit stay put.
void weft_rank_tile(uint digit[WEFT_ROWS], uint count[WEFT_OWN_DIGITS], out uint first[WEFT_OWN_DIGITS],
                    out uint rank[WEFT_ROWS]) {
  weft_scan_digits(count, first);
  bool sorted = subgroupBroadcastFirst(weft_digit_of_all) != 0u;
  if (sorted) {
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) rank[row] = weft_pack_index(gl_SubgroupID, row);
  } else {
    weft_rank_digits(digit, rank);
  }
  barrier();
}

// Elements staged in weft_sort_memory from the word `from` on.
void weft_stage_bits(uint from, uint bytes, uint slot, uvec2 bits) {
  if (bytes == 8u) {
    weft_sort_memory[from + 2u * slot] = bits.x;
    weft_sort_memory[from + 2u * slot + 1u] = bits.y;
  } else {
    weft_sort_memory[from + slot] = bits.x;
  }
}

uvec2 weft_staged_bits(uint from, uint bytes, uint slot) {
  if (bytes == 8u) return uvec2(weft_sort_memory[from + 2u * slot], weft_sort_memory[from + 2u * slot + 1u]);
  return uvec2(weft_sort_memory[from + slot], 0u);
}

void weft_store_sorted(uvec2 memory, uint bytes, WeftIndex output_index, uvec2 bits) {
#ifdef WEFT_FAR_MEMORY
  weft_store_bits(weft_element_address(memory, bytes, output_index), bytes, 0u, bits);
#else
  weft_store_bits(memory, bytes, output_index, bits);
#endif
}

// The output index of a key of that digit, less its rank in the tile.
shared WeftIndex weft_digit_origin[WEFT_DIGITS];

const int weft_parts = (WEFT_ROWS + WEFT_STAGED_ROWS - 1) / WEFT_STAGED_ROWS;
uint weft_part_size() { return gl_WorkGroupSize.x * WEFT_STAGED_ROWS; }

// Stages the elements whose ranks are in the part.
void weft_stage_part(uint from, uint bytes, int part, uvec2 bits[WEFT_ROWS], uint rank[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint slot = rank[row] - uint(part) * weft_part_size();
    if (weft_parts == 1 || slot < weft_part_size()) weft_stage_bits(from, bytes, slot, bits[row]);
  }
}

void weft_stage_keys(int part, uvec2 key[WEFT_ROWS], uint rank[WEFT_ROWS]) {
  weft_stage_part(0u, WEFT_KEY_BYTES, part, key, rank);
}

#ifdef WEFT_VALUE_BYTES
void weft_load_values(WeftSortArguments arguments, uint tile, uint limit, out uvec2 value[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) value[row] = uvec2(0u);
  if (arguments.values != uvec2(0u)) {
    weft_load_sort_tile(arguments.values, WEFT_VALUE_BYTES, tile, limit, value);
  } else {
    uvec2 first = weft_multiply(weft_wide(tile), weft_tile_size());
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      value[row] = weft_add(first, weft_pack_index(gl_SubgroupID, row));
    }
  }
}

#ifdef WEFT_VALUES_BESIDE_KEYS
uint weft_staged_values() { return weft_part_size() * (WEFT_KEY_BYTES == 8 ? 2u : 1u); }
#else
uint weft_staged_values() { return 0u; }
#endif

void weft_stage_values(int part, uvec2 value[WEFT_ROWS], uint rank[WEFT_ROWS]) {
  weft_stage_part(weft_staged_values(), WEFT_VALUE_BYTES, part, value, rank);
}

void weft_scatter_value(WeftSortArguments arguments, uint index, WeftIndex output_index) {
  weft_store_sorted(arguments.values_out, WEFT_VALUE_BYTES, output_index,
                    weft_staged_bits(weft_staged_values(), WEFT_VALUE_BYTES, index));
}
#endif

// For values that are staged beside their keys; without effect on others.
void weft_load_values_beside(WeftSortArguments arguments, uint tile, uint limit, out uvec2 value[WEFT_ROWS]) {
#ifdef WEFT_VALUES_BESIDE_KEYS
  weft_load_values(arguments, tile, limit, value);
#endif
}
void weft_stage_values_beside(int part, uvec2 value[WEFT_ROWS], uint rank[WEFT_ROWS]) {
#ifdef WEFT_VALUES_BESIDE_KEYS
  weft_stage_values(part, value, rank);
#endif
}

// `whole`, a literal: the tile is full.
void weft_scatter_part(WeftSortArguments arguments, int part, uint limit, bool whole,
                       inout WeftIndex output_index[WEFT_ROWS]) {
  [[unroll]] for (int k = 0; k < WEFT_STAGED_ROWS; ++k) {
    int row = part * WEFT_STAGED_ROWS + k;
    uint staged = uint(k) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint index = uint(part) * weft_part_size() + staged;
    if (row < WEFT_ROWS && (whole || index < limit)) {
      uvec2 key = weft_staged_bits(0u, WEFT_KEY_BYTES, staged);
      output_index[row] = weft_add(weft_digit_origin[weft_digit(key, arguments.begin, arguments.mask)], index);
      weft_store_sorted(arguments.keys_out, WEFT_KEY_BYTES, output_index[row], key);
#ifdef WEFT_VALUES_BESIDE_KEYS
      weft_scatter_value(arguments, staged, output_index[row]);
#endif
    }
  }
}

// Stores all parts. Before, the keys of the first part and values beside them are staged, origins are set, and a
// barrier follows.
void weft_scatter_tile(WeftSortArguments arguments, uint tile, uint limit, uvec2 key[WEFT_ROWS],
                       uvec2 value[WEFT_ROWS], uint rank[WEFT_ROWS]) {
  WeftIndex output_index[WEFT_ROWS];
  [[unroll]] for (int part = 0; part < weft_parts; ++part) {
    if (part > 0) {
      barrier();
      weft_stage_keys(part, key, rank);
      weft_stage_values_beside(part, value, rank);
      barrier();
    }
    if (limit == weft_tile_size()) {
      weft_scatter_part(arguments, part, limit, true, output_index);
    } else {
      weft_scatter_part(arguments, part, limit, false, output_index);
    }
  }
#if defined(WEFT_VALUE_BYTES) && !defined(WEFT_VALUES_BESIDE_KEYS)
  weft_load_values(arguments, tile, limit, value);
  [[unroll]] for (int part = 0; part < weft_parts; ++part) {
    barrier();
    weft_stage_values(part, value, rank);
    barrier();
    [[unroll]] for (int k = 0; k < WEFT_STAGED_ROWS; ++k) {
      int row = part * WEFT_STAGED_ROWS + k;
      uint staged = uint(k) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
      uint index = uint(part) * weft_part_size() + staged;
      if (row < WEFT_ROWS && index < limit) weft_scatter_value(arguments, staged, output_index[row]);
    }
  }
#endif
}

#endif
