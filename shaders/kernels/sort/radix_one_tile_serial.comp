#version 460
// A radix sort of at most one tile of keys, as shaders/kernels/sort/radix_one_tile.comp, by one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS keys, moved in each pass from one part of workgroup memory to the other.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/serial/digits.glsl"

#include "weft/kernels/sort/one_tile_arguments.glsl"

// Two tiles, from 0 and from WEFT_ROWS.
shared WEFT_KEY_BITS keys[2 * WEFT_ROWS];
#ifdef WEFT_UNITS
shared uint sources[2 * WEFT_ROWS];
shared uint units[WEFT_ROWS];
#endif

uint digit_at(uint i, uint begin, uint mask) { return weft_digit(weft_wide(keys[i]), begin, mask); }

void count_digits(uint from, uint count, uint begin, uint mask) {
  weft_clear_digits();
  uint i = from, end = from + count;
  for (; i + 3u < end; i += 4u) {
    uint a = digit_at(i, begin, mask), b = digit_at(i + 1u, begin, mask);
    uint c = digit_at(i + 2u, begin, mask), d = digit_at(i + 3u, begin, mask);
    weft_count_digit(0u, a);
    weft_count_digit(1u, b);
    weft_count_digit(2u, c);
    weft_count_digit(3u, d);
  }
  for (; i < end; ++i) weft_count_digit(0u, digit_at(i, begin, mask));
  weft_sum_digits();
}

void move_to_ranks(uint from, uint count, uint begin, uint mask) {
  uint to = WEFT_ROWS - from;
  for (uint i = from; i < from + count; ++i) {
    WEFT_KEY_BITS key = keys[i];
    uint rank = to + weft_take_rank(weft_digit(weft_wide(key), begin, mask));
    keys[rank] = key;
#ifdef WEFT_UNITS
    sources[rank] = sources[i];
#endif
  }
}

#ifdef WEFT_UNITS
void move_values(uint from, uint count) {
  for (uint unit = 0u; unit < WEFT_UNITS; ++unit) {
    for (uint i = 0u; i < count; ++i) {
      units[i] = weft_load_bits(args.sort.values, WEFT_UNIT_BYTES, sources[from + i] * WEFT_UNITS + unit).x;
    }
    for (uint i = 0u; i < count; ++i) {
      weft_store_bits(args.sort.values_out, WEFT_UNIT_BYTES, i * WEFT_UNITS + unit, uvec2(units[i], 0u));
    }
  }
}
#endif

void main() {
  uint limit = weft_tile_limit(weft_sort_extent(args.sort), 0u), from = 0u;
  for (uint i = 0u; i < limit; ++i) weft_set_bits(keys[i], weft_load_bits(args.sort.keys, WEFT_KEY_BYTES, i));
#ifdef WEFT_UNITS
  for (uint i = 0u; i < limit; ++i) sources[i] = i;
#endif
  for (uint begin = args.sort.begin; begin < args.end; begin += args.width) {
    uint mask = (1u << min(args.width, args.end - begin)) - 1u;
    count_digits(from, limit, begin, mask);
    weft_scan_digits();
    move_to_ranks(from, limit, begin, mask);
    from = WEFT_ROWS - from;
  }
  for (uint i = 0u; i < limit; ++i) {
    weft_store_bits(args.sort.keys_out, WEFT_KEY_BYTES, i, weft_wide(keys[from + i]));
  }
#ifdef WEFT_UNITS
  move_values(from, limit);
#endif
}
