#version 460
// A merge, as shaders/kernels/sort/merge_tiles.comp without segments, by workgroups of one invocation.
//
// Inputs:  as there, without splits: each tile finds its own.
// Tile:    WEFT_ROWS elements, in four strips that take turns, each with its own part of the two runs: no comparison
//          waits for the one before it, and no branch depends on one. What is left of a part whose other has ended is
//          copied.
// After:   Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/sort/merge_split.glsl"
#include "weft/kernels/sort/merge_work.glsl"
#include "weft/serial/pick.glsl"

#ifdef WEFT_VALUE_UNITS
const uint value_bytes = WEFT_VALUE_UNITS * WEFT_VALUE_UNIT_BYTES;
#endif

// A strip's parts of the two runs; `a` and `b` count what it has taken of them.
struct Strip {
  uvec2 first, second, destination;
#ifdef WEFT_VALUE_UNITS
  uvec2 first_values, second_values, destination_values;
#endif
  uint a, b, first_count, second_count;
};

WeftIndex split_at(WeftMergePair pair, uint at) {
  pair.diagonal = weft_add(pair.diagonal, weft_index(at));
  return weft_find_split(pair);
}

// The same of elements from `least` to `least` + `most`.
WeftIndex split_within(WeftMergePair pair, uint at, WeftIndex least, uint most) {
  pair.staying = least;
  pair.first_count = weft_add(least, weft_min(weft_subtract(pair.first_count, least), weft_index(most)));
  return split_at(pair, at);
}

// The split `quarter` elements after `split`, at `at`; `end` is that at the limit. Where the comparison is no order, as
// of NaNs, the bounds keep parts from being longer than their strips.
WeftIndex next_split(WeftMergePair pair, WeftIndex split, WeftIndex end, uint at, uint quarter, uint limit) {
  uint left = weft_low(weft_subtract(end, split)), after = limit - at;
  uint least = left - min(left, after), most = min(left, quarter);
  return split_within(pair, at, weft_add(split, weft_index(least)), most - least);
}

// The elements of the tile from `begin` to before `end`; splits are those of the two.
Strip strip_of(WeftMergePair pair, uint tile, uint begin, uint end, WeftIndex split, WeftIndex next_split) {
  WeftIndex first = weft_add(pair.first, split);
  WeftIndex second = weft_add(pair.second, weft_subtract(weft_add(pair.diagonal, weft_index(begin)), split));
  WeftIndex to = weft_add(weft_product(tile, weft_tile_size()), weft_index(begin));
  Strip strip;
  strip.a = strip.b = 0u;
  strip.first_count = weft_low(weft_subtract(next_split, split));
  strip.second_count = end - begin - strip.first_count;
  strip.first = weft_element_address(args.first, T_BYTES, first);
  strip.second = weft_element_address(args.second, T_BYTES, second);
  strip.destination = weft_element_address(args.destination, T_BYTES, to);
#ifdef WEFT_VALUE_UNITS
  strip.first_values = weft_element_address(args.first_values, value_bytes, first);
  strip.second_values = weft_element_address(args.second_values, value_bytes, second);
  strip.destination_values = weft_element_address(args.destination_values, value_bytes, to);
#endif
  return strip;
}

// Stores the strip's element k, the next of the second run or of the first.
void store_at(Strip strip, uint k, uint second, T x, T y) {
#if T_WORDS <= 2
  uint words[] = weft_to_words(x), second_words[] = weft_to_words(y);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) words[w] = weft_pick(second, second_words[w], words[w]);
  weft_from_words(words, x);
#else
  x = weft_load_element(weft_pick(second, strip.second, strip.first), 0u, weft_pick(second, strip.b, strip.a));
#endif
  weft_store_element(strip.destination, 0u, k, x);
}

void move_value(Strip strip, uint k, uint second) {
#ifdef WEFT_VALUE_UNITS
  uvec2 values = weft_pick(second, strip.second_values, strip.first_values);
  uint index = weft_pick(second, strip.b, strip.a);
  for (uint unit = 0u; unit < WEFT_VALUE_UNITS; ++unit) {
    uint bits = weft_load_unit(values, WEFT_VALUE_UNIT_BYTES, 0u, index * WEFT_VALUE_UNITS + unit);
    weft_store_unit(strip.destination_values, WEFT_VALUE_UNIT_BYTES, 0u, k * WEFT_VALUE_UNITS + unit, bits);
  }
#endif
}

void merge_at(inout Strip strip, uint k) {
  T x = weft_load_element(strip.first, 0u, strip.a), y = weft_load_element(strip.second, 0u, strip.b);
  uint second = uint(weft_before(y, x));
  store_at(strip, k, second, x, y);
  move_value(strip, k, second);
  strip.a += 1u - second;
  strip.b += second;
}

// For so many steps neither of its parts can end.
uint safe_steps(Strip strip) { return min(strip.first_count - strip.a, strip.second_count - strip.b); }

// Copies what is left of one part.
void copy_rest(Strip strip, uint k, uint second, uint end) {
  uvec2 from = second == 0u ? weft_element_address(strip.first, T_BYTES, strip.a)
                            : weft_element_address(strip.second, T_BYTES, strip.b);
  uvec2 to = weft_element_address(strip.destination, T_BYTES, k);
  for (uint i = 0u; i < end - k; ++i) weft_store_element(to, 0u, i, weft_load_element(from, 0u, i));
#ifdef WEFT_VALUE_UNITS
  from = second == 0u ? weft_element_address(strip.first_values, value_bytes, strip.a)
                      : weft_element_address(strip.second_values, value_bytes, strip.b);
  to = weft_element_address(strip.destination_values, value_bytes, k);
  for (uint i = 0u; i < (end - k) * WEFT_VALUE_UNITS; ++i) {
    weft_store_unit(to, WEFT_VALUE_UNIT_BYTES, 0u, i, weft_load_unit(from, WEFT_VALUE_UNIT_BYTES, 0u, i));
  }
#endif
}

// The rest of a strip, from its element k on.
void merge_rest(Strip strip, uint k) {
  for (uint steps = safe_steps(strip); steps > 0u; steps = safe_steps(strip)) {
    for (uint end = k + steps; k < end; ++k) merge_at(strip, k);
  }
  copy_rest(strip, k, uint(strip.a == strip.first_count), strip.first_count + strip.second_count);
}

void main() {
  WeftMergeCounts counts = weft_merge_counts();
  uint tile = weft_group_index();
  if (!weft_take_listed(counts, tile)) return;
  uint limit = weft_tile_limit(counts.extent, tile), quarter = limit / 4u;
  WeftMergePair pair = weft_merge_pair(counts, tile);
  WeftIndex begin = split_at(pair, 0u);
  WeftIndex end = split_within(pair, limit, begin, limit);
  WeftIndex split_b = next_split(pair, begin, end, quarter, quarter, limit);
  WeftIndex split_c = next_split(pair, split_b, end, 2u * quarter, quarter, limit);
  WeftIndex split_d = next_split(pair, split_c, end, 3u * quarter, quarter, limit);

  Strip a = strip_of(pair, tile, 0u, quarter, begin, split_b);
  Strip b = strip_of(pair, tile, quarter, 2u * quarter, split_b, split_c);
  Strip c = strip_of(pair, tile, 2u * quarter, 3u * quarter, split_c, split_d);
  Strip d = strip_of(pair, tile, 3u * quarter, limit, split_d, end);
  uint k = 0u;
  for (uint steps = 1u; steps > 0u;) {
    steps = min(min(safe_steps(a), safe_steps(b)), min(safe_steps(c), safe_steps(d)));
    for (uint end_of_steps = k + steps; k < end_of_steps; ++k) {
      merge_at(a, k);
      merge_at(b, k);
      merge_at(c, k);
      merge_at(d, k);
    }
  }
  merge_rest(a, k);
  merge_rest(b, k);
  merge_rest(c, k);
  merge_rest(d, k);
}
