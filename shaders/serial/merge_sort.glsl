// A stable merge sort in workgroup memory by one invocation. No branch depends on a comparison, but at the end of a
// tile that is not full.
//
// Gives:    weft_sorted[]           two tiles of elements, from 0 and from WEFT_ROWS
//           weft_sorted_source[]    with WEFT_TILE_SOURCES: where each element was
//           uint weft_serial_merge_sort(uint count)
//                   sorts elements [0, count), and returns where they are then: from 0 or from WEFT_ROWS on
// Macros:   WEFT_ROWS               elements of a tile
//           WEFT_TILE_SOURCES       optional: elements carry their index along, as values need it
//           those of weft/thread/comparison.glsl
//
// Runs of four are sorted by counting, for each element, those that precede it. A pair of runs of one length is merged
// from both ends at once: the two chains of comparisons do not wait for one another, and neither can leave the runs in
// as many steps as a run has elements, so nothing asks for the ends.
#ifndef WEFT_SERIAL_MERGE_SORT
#define WEFT_SERIAL_MERGE_SORT

#include "weft/serial/pick.glsl"
#include "weft/thread/comparison.glsl"

shared T weft_sorted[2 * WEFT_ROWS];
#ifdef WEFT_TILE_SOURCES
shared uint weft_sorted_source[2 * WEFT_ROWS];
#endif

void weft_move_sorted(uint to, uint from) {
  weft_sorted[to] = weft_sorted[from];
#ifdef WEFT_TILE_SOURCES
  weft_sorted_source[to] = weft_sorted_source[from];
#endif
}

uint weft_comes_before(uint a, uint b) { return uint(weft_before(weft_sorted[a], weft_sorted[b])); }

// From elements i to i + 3 to the other tile.
void weft_sort_four(uint i) {
  uint ba = weft_comes_before(i + 1u, i), ca = weft_comes_before(i + 2u, i), da = weft_comes_before(i + 3u, i);
  uint cb = weft_comes_before(i + 2u, i + 1u), db = weft_comes_before(i + 3u, i + 1u);
  uint dc = weft_comes_before(i + 3u, i + 2u);
  uint to = WEFT_ROWS + i;
  weft_move_sorted(to + ba + ca + da, i);
  weft_move_sorted(to + 1u - ba + cb + db, i + 1u);
  weft_move_sorted(to + 2u - ca - cb + dc, i + 2u);
  weft_move_sorted(to + 3u - da - db - dc, i + 3u);
}

// The same of elements i to before `end`, fewer than four.
void weft_sort_rest(uint i, uint end) {
  for (uint x = i; x < end; ++x) {
    uint rank = 0u;
    for (uint y = i; y < end; ++y) {
      rank += y < x ? 1u - weft_comes_before(x, y) : weft_comes_before(y, x);
    }
    weft_move_sorted(WEFT_ROWS + i + rank, x);
  }
}

// Merges the runs of `run` elements at `first` and after it.
void weft_merge_equal_runs(uint first, uint run, uint to) {
  uint a = first, b = first + run, a_last = b - 1u, b_last = b + run - 1u, to_last = to + 2u * run - 1u;
  for (uint k = 0u; k < run; ++k) {
    uint second = weft_comes_before(b, a), of_first = weft_comes_before(b_last, a_last);
    weft_move_sorted(to + k, weft_pick(second, b, a));
    weft_move_sorted(to_last - k, weft_pick(of_first, a_last, b_last));
    a += 1u - second;
    b += second;
    a_last -= of_first;
    b_last -= 1u - of_first;
  }
}

// Merges the runs from `first` to before `middle`, and on to before `end`.
void weft_merge_last_runs(uint first, uint middle, uint end, uint to) {
  uint a = first, b = middle;
  for (uint k = 0u; k < end - first; ++k) {
    uint second = uint(a == middle);
    if (a < middle && b < end) second = weft_comes_before(b, a);
    weft_move_sorted(to + k, weft_pick(second, b, a));
    a += 1u - second;
    b += second;
  }
}

uint weft_serial_merge_sort(uint count) {
  uint from = WEFT_ROWS, whole = count - count % 4u;
  for (uint i = 0u; i < whole; i += 4u) weft_sort_four(i);
  weft_sort_rest(whole, count);
  for (uint run = 4u; run < count; run *= 2u) {
    uint to = WEFT_ROWS - from;
    for (uint i = 0u; i < count; i += 2u * run) {
      if (i + 2u * run <= count) {
        weft_merge_equal_runs(from + i, run, to + i);
      } else {
        weft_merge_last_runs(from + i, from + min(i + run, count), from + count, to + i);
      }
    }
    from = to;
  }
  return from;
}

#endif
