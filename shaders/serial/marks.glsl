// Which elements of a tile that one invocation runs over are selected, or are heads of runs.
//
// Gives:    WeftCandidates weft_candidates(source, flags, tile, limit)   the tile's elements, and what selects them
//           uint weft_count_selected(candidates)
//           uvec2 weft_find_heads(candidates)   that number, and 1 more than the last one's index or 0
//           uint weft_mark_block(inout candidates, inout marks)
//                   1 for each that is selected of the next weft_block candidates or fewer, and 0 for the others; goes
//                   on to those after them, and returns how many it has marked
// Macros:   those of weft/serial/tile.glsl
//           WEFT_WHERE          GLSL expression of `x`, the element, and `i`, its index (the low 32 bits)
//           WEFT_WHERE_SECOND   optional: another one. `side` says which selects: 0 or 1
//           WEFT_THREE_WAY      optional: the second selects from what the first does not, and side 2 is all others
//           WEFT_SAME           or, of `a` and `b`, neighbours: true if they are in one run. Heads are selected
//           K                   optional: of keys instead of elements; weft/thread/key.glsl is included before
//           WEFT_BYTE_FLAGS     without all these, flags in memory that are not zero select. Optional: flags have 8
//                               bits instead of 32; needs WEFT_STORAGE8
//           WEFT_HEADS_AT_FLAGS optional: flags mark heads
// Usage:    WeftCandidates candidates = weft_candidates(args.source, args.flags, tile, weft_tile_limit(extent, tile));
//           uint total = weft_count_selected(candidates);
//
// Marks are made apart from what is done with them, so that compilers make vectors of that, and no branch of an
// expression is taken for some elements alone.
#ifndef WEFT_SERIAL_MARKS
#define WEFT_SERIAL_MARKS

#include "weft/serial/tile.glsl"

const uint weft_block = 128u;

struct WeftCandidates {
  uvec2 elements;
  uvec2 beside;  // Their flags, or the elements before them.
  uint index, count;
  uint heads;  // 1 if the first of all elements is before these: a head, whatever the expression says.
  uint side;
};

#ifdef K
#define WEFT_COMPARED K
#define WEFT_COMPARED_BYTES K_BYTES
#define WEFT_LOAD_COMPARED weft_key_load_element
#else
#define WEFT_COMPARED T
#define WEFT_COMPARED_BYTES T_BYTES
#define WEFT_LOAD_COMPARED weft_load_element
#endif

#if defined(WEFT_WHERE)
#define WEFT_BESIDE_BYTES 0u
bool weft_where(T x, uint i) { return WEFT_WHERE; }

#if defined(WEFT_WHERE_SECOND)
bool weft_where_second(T x, uint i) { return WEFT_WHERE_SECOND; }

bool weft_is_selected(WeftCandidates c, uint i) {
  T x = weft_load_element(c.elements, 0u, i);
  bool first = weft_where(x, c.index + i), second = weft_where_second(x, c.index + i);
#ifdef WEFT_THREE_WAY
  second = mix(second == (c.side == 1u), false, first);  // Without a branch, which && would be.
#endif
  return c.side == 0u ? first : second;
}
#else
bool weft_is_selected(WeftCandidates c, uint i) {
  return weft_where(weft_load_element(c.elements, 0u, i), c.index + i);
}
#endif

#elif defined(WEFT_SAME)
#define WEFT_FIRST_IS_HEAD
#define WEFT_BESIDE_BYTES WEFT_COMPARED_BYTES
bool weft_same(WEFT_COMPARED a, WEFT_COMPARED b) { return WEFT_SAME; }

bool weft_is_selected(WeftCandidates c, uint i) {
  return !weft_same(WEFT_LOAD_COMPARED(c.beside, 0u, i), WEFT_LOAD_COMPARED(c.elements, 0u, i));
}

#else
#ifdef WEFT_HEADS_AT_FLAGS
#define WEFT_FIRST_IS_HEAD
#endif
#ifdef WEFT_BYTE_FLAGS
#define WEFT_BESIDE_BYTES 1u
bool weft_is_selected(WeftCandidates c, uint i) { return weft_load_byte(c.beside, 0u, i) != 0u; }
#else
#define WEFT_BESIDE_BYTES 4u
bool weft_is_selected(WeftCandidates c, uint i) { return weft_load_word(c.beside, 0u, i) != 0u; }
#endif
#endif

WeftCandidates weft_candidates(uvec2 source, uvec2 flags, uint tile, uint limit) {
  uint heads = 0u;
#ifdef WEFT_FIRST_IS_HEAD
  if (tile == 0u && limit > 0u) heads = 1u;
#endif
  uvec2 elements = weft_part_of(source, WEFT_COMPARED_BYTES, tile, heads);
#ifdef WEFT_SAME
  uvec2 beside = weft_subtract(elements, uvec2(WEFT_COMPARED_BYTES, 0u));
#else
  uvec2 beside = weft_part_of(flags, WEFT_BESIDE_BYTES, tile, heads);
#endif
  return WeftCandidates(elements, beside, tile * weft_tile_size() + heads, limit - heads, heads, 0u);
}

uint weft_count_selected(WeftCandidates c) {
  uint selected = c.heads;
  for (uint i = 0u; i < c.count; ++i) selected += uint(weft_is_selected(c, i));
  return selected;
}

uvec2 weft_find_heads(WeftCandidates c) {
  uint heads = c.heads, last = 0u;
  for (uint i = 0u; i < c.count; ++i) {
    uint head = uint(weft_is_selected(c, i));
    heads += head;
    last = max(last, head * (i + 1u));  // A condition here would be a branch.
  }
  return uvec2(heads, last);
}

uint weft_mark_block(inout WeftCandidates c, inout uint marks[weft_block]) {
  uint count = min(c.count, weft_block);
  for (uint i = 0u; i < count; ++i) marks[i] = uint(weft_is_selected(c, i));
  c.elements = weft_add(c.elements, count * WEFT_COMPARED_BYTES);
  c.beside = weft_add(c.beside, count * WEFT_BESIDE_BYTES);
  c.index += count;
  c.count -= count;
  return count;
}

#endif
