#version 460
// One pass of a radix sort: moves each key, and its value, to its rank in the stable order by one digit.
//
// Inputs:  `count` keys; the number of all keys of each digit; ticket and states in memory that was set to zero.
//          next_states is 0, or the states for the next pass but one, which are set to zero.
// Tile:    workgroup size * WEFT_ROWS keys, read once into registers, sorted in workgroup memory and written in runs of
//          equal digits.
// After:   Adinets and Merrill 2022, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/sort/radix_tile.glsl"

#include "weft/device/digit_states.glsl"
#include "weft/kernels/sort/digit_bases.glsl"
#include "weft/kernels/sort/one_sweep_arguments.glsl"

void main() {
  WeftExtent extent = weft_sort_extent(args.sort);
  uint tile = weft_claim_tile(args.ticket);
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  if (args.next_states != uvec2(0u)) weft_clear_digit_row(weft_digit_row(args.next_states, tile));

  uvec2 key[WEFT_ROWS];
  uint digit[WEFT_ROWS], rank[WEFT_ROWS];
  uint count[WEFT_OWN_DIGITS], first[WEFT_OWN_DIGITS];
  weft_load_digits(args.sort, tile, limit, key, digit);
  weft_count_tile(digit, count);
  WeftIndex before[WEFT_OWN_DIGITS];
  if (tile == 0u) weft_digit_bases(args.totals, before);
  uvec2 row = weft_digit_row(args.states, tile);
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    if (weft_own_digit(k) >= WEFT_DIGITS) continue;
    WeftIndex x = weft_index(weft_count_within(count, k, args.sort.mask, limit));
    if (tile == 0u) x = weft_add(x, before[k]);
    weft_publish_digit(row, weft_own_digit(k), tile == 0u ? weft_tile_prefix : weft_tile_aggregate, x);
  }
  weft_rank_tile(digit, count, first, rank);
  weft_stage_keys(0, key, rank);
  uvec2 value[WEFT_ROWS];
  weft_load_values_beside(args.sort, tile, limit, value);  // In flight during the look-back.
  [[unroll]] for (int k = 0; k < WEFT_OWN_DIGITS; ++k) {
    uint own = weft_own_digit(k);
    if (own >= WEFT_DIGITS) continue;
    if (tile > 0u) {
      before[k] = weft_look_back_digit(args.states, tile, own);
      uint there = weft_count_within(count, k, args.sort.mask, limit);
      weft_publish_digit(row, own, weft_tile_prefix, weft_add(before[k], weft_index(there)));
    }
    weft_digit_origin[own] = weft_subtract(before[k], weft_index(first[k]));
  }
  weft_stage_values_beside(0, value, rank);
  barrier();
  weft_scatter_tile(args.sort, tile, limit, key, value, rank);
}
