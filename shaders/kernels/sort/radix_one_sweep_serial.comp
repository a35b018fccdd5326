#version 460
// One pass of a radix sort, as shaders/kernels/sort/radix_one_sweep.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS keys, counted, then sorted into workgroup memory, which is in the cache, and written from there in
//          runs of equal digits. A tile of one digit is copied straight.
// After:   Adinets and Merrill 2022, Onesweep; Polychroniou and Ross 2014, A Comprehensive Study of Main-memory
//          Partitioning and its Application to Large-scale Comparison- and Radix-sort (writes through the cache).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/serial/digits.glsl"

#include "weft/device/digit_states.glsl"
#include "weft/kernels/sort/one_sweep_arguments.glsl"

shared WEFT_KEY_BITS staged_keys[WEFT_ROWS];
shared WeftIndex digit_start[WEFT_DIGITS];  // The output index of the tile's first key of each digit.

#ifdef WEFT_VALUE_BYTES
#if WEFT_VALUE_BYTES == 8
#define WEFT_VALUE_BITS uvec2
#else
#define WEFT_VALUE_BITS uint
#endif
shared WEFT_VALUE_BITS staged_values[WEFT_ROWS];

// The values of a tile, or the index of its first key.
struct TileValues {
  bool are_indices;
  uvec2 memory, first;
};

uvec2 value_at(TileValues values, uint i) {
  if (values.are_indices) return weft_add(values.first, i);
  return weft_load_bits(values.memory, WEFT_VALUE_BYTES, i);
}
#endif

uvec2 tile_of(uvec2 memory, uint bytes, uint tile) {
  return weft_element_address(memory, bytes * weft_tile_size(), tile);
}

#ifdef WEFT_VALUE_BYTES
TileValues values_of(uint tile) {
  return TileValues(args.sort.values == uvec2(0u), tile_of(args.sort.values, WEFT_VALUE_BYTES, tile),
                    weft_multiply(weft_wide(tile), weft_tile_size()));
}
#endif

// The address that follows from the output index less `rank`.
uvec2 origin_of(uvec2 memory, uint bytes, WeftIndex output_index, uint rank) {
  return weft_subtract(weft_element_address(memory, bytes, output_index), uvec2(rank * bytes, 0u));
}

// Publishes the tile's counts, or for the first tile where each digit's keys end.
void publish_counts(uint tile) {
  uvec2 row = weft_digit_row(args.states, tile);
  WeftIndex end = WeftIndex(0u);
  for (uint d = 0u; d < WEFT_DIGITS; ++d) {
    WeftIndex x = weft_index(weft_digit_count[d]);
    if (tile == 0u) {
      digit_start[d] = end;
      x = weft_add(end, x);
      end = weft_add(end, args.totals.digit[d]);
    }
    weft_publish_digit(row, d, tile == 0u ? weft_tile_prefix : weft_tile_aggregate, x);
  }
}

void look_back(uint tile) {
  uvec2 row = weft_digit_row(args.states, tile);
  for (uint d = 0u; d < WEFT_DIGITS; ++d) {
    digit_start[d] = weft_look_back_digit(args.states, tile, d);
    weft_publish_digit(row, d, weft_tile_prefix, weft_add(digit_start[d], weft_index(weft_digit_count[d])));
  }
}

// The digit of all the tile's keys, or WEFT_DIGITS.
uint digit_of_all(uint limit) {
  uint digit = WEFT_DIGITS;
  for (uint d = 0u; d < WEFT_DIGITS; ++d) digit = weft_digit_count[d] == limit ? d : digit;
  return digit;
}

void sort_tile(uint tile, uint limit) {
  uvec2 keys = tile_of(args.sort.keys, WEFT_KEY_BYTES, tile);
#ifdef WEFT_VALUE_BYTES
  TileValues values = values_of(tile);
#endif
  uint begin = args.sort.begin, mask = args.sort.mask;
  weft_scan_digits();
  for (uint i = 0u; i < limit; ++i) {
    uvec2 key = weft_load_bits(keys, WEFT_KEY_BYTES, i);
    uint rank = weft_take_rank(weft_digit(key, begin, mask));
    weft_set_bits(staged_keys[rank], key);
#ifdef WEFT_VALUE_BYTES
    weft_set_bits(staged_values[rank], value_at(values, i));
#endif
  }
}

void write_runs() {
  for (uint d = 0u; d < WEFT_DIGITS; ++d) {
    uint end = weft_digit_next[d], begin = end - weft_digit_count[d];
    uvec2 keys_out = origin_of(args.sort.keys_out, WEFT_KEY_BYTES, digit_start[d], begin);
    for (uint i = begin; i < end; ++i) weft_store_bits(keys_out, WEFT_KEY_BYTES, i, weft_wide(staged_keys[i]));
#ifdef WEFT_VALUE_BYTES
    uvec2 values_out = origin_of(args.sort.values_out, WEFT_VALUE_BYTES, digit_start[d], begin);
    for (uint i = begin; i < end; ++i) weft_store_bits(values_out, WEFT_VALUE_BYTES, i, weft_wide(staged_values[i]));
#endif
  }
}

void copy_tile(uint tile, uint limit, WeftIndex start) {
  uvec2 keys = tile_of(args.sort.keys, WEFT_KEY_BYTES, tile);
  uvec2 keys_out = weft_element_address(args.sort.keys_out, WEFT_KEY_BYTES, start);
  for (uint i = 0u; i < limit; ++i) {
    weft_store_bits(keys_out, WEFT_KEY_BYTES, i, weft_load_bits(keys, WEFT_KEY_BYTES, i));
  }
#ifdef WEFT_VALUE_BYTES
  TileValues values = values_of(tile);
  uvec2 values_out = weft_element_address(args.sort.values_out, WEFT_VALUE_BYTES, start);
  for (uint i = 0u; i < limit; ++i) {
    weft_store_bits(values_out, WEFT_VALUE_BYTES, i, value_at(values, i));
  }
#endif
}

void main() {
  WeftExtent extent = weft_sort_extent(args.sort);
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  if (args.next_states != uvec2(0u)) weft_clear_digit_row(weft_digit_row(args.next_states, tile));

  weft_clear_digits();
  weft_count_digits(tile_of(args.sort.keys, WEFT_KEY_BYTES, tile), limit, args.sort.begin, args.sort.mask);
  weft_sum_digits();
  publish_counts(tile);
  uint all = digit_of_all(limit);
  if (all == WEFT_DIGITS) sort_tile(tile, limit);
  if (tile > 0u) look_back(tile);
  if (all == WEFT_DIGITS) {
    write_runs();
  } else {
    copy_tile(tile, limit, digit_start[all]);
  }
}
