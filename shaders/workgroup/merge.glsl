// Merging of sorted runs in workgroup memory, WEFT_ROWS consecutive elements of the result in each invocation.
// (Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.)
//
// Gives:    WeftRuns   two runs, one behind the other
//           void weft_merge_runs(WeftRuns runs, diagonal, out T x[WEFT_ROWS], out uint places[WEFT_ROWS])
//                   of the merged runs the elements from `diagonal` on, and where they lie; what lies behind the last
//                   is undefined
// Macros:   those of weft/thread/order.glsl and weft/workgroup/tile_memory.glsl
//           WEFT_ROWS   elements of an invocation; an odd number keeps invocations off one another's banks
//           WEFT_SEGMENTS   optional: only the segment that holds the end of the first run and the start of the second is
//                           merged, and all else stays
// Usage:    weft_tile_put(place, x, place);
//           barrier();
//           weft_merge_runs(weft_runs(0u, first_count, count), gl_LocalInvocationIndex * WEFT_ROWS, x, places);
//           barrier();
//
// Equal elements keep their order, those of the first run before those of the second. Barriers between putting
// and merging are the caller's. What lies between the second run's end and the tile's is read as well: put something there.
#ifndef WEFT_WORKGROUP_MERGE
#define WEFT_WORKGROUP_MERGE

#include "weft/thread/order.glsl"
#include "weft/workgroup/tile_memory.glsl"

struct WeftRuns {
  uint first, second, end;  // [first, second) and [second, end).
  uint lower, upper;        // [lower, second) and [second, upper) are what is merged.
};

WeftRuns weft_runs(uint first, uint second, uint end) { return WeftRuns(first, second, end, first, end); }

// Whether element j of the second run is next, before element i of the first; `b` and `a` are the two.
bool weft_is_of_second(WeftRuns runs, uint i, uint j, T b, T a) {
#ifdef WEFT_SEGMENTS
  // Each condition is computed, so that there are no branches: invocations would go all ways.
  bool before = weft_before(b, a), none_left = i >= runs.second;
  bool merged = j < runs.upper;
  merged = merged && i >= runs.lower;
  return none_left || (merged && before);
#else
  return j < runs.end && (i >= runs.second || weft_before(b, a));
#endif
}

// How many of the merged runs' first `diagonal` elements are of the first run.
uint weft_merge_split(WeftRuns runs, uint diagonal) {
  uint high = min(diagonal, runs.second - runs.first);
  uint low = diagonal - min(diagonal, runs.upper - runs.second);
  low = min(max(low, runs.lower - runs.first), high);
  while (low < high) {
    uint middle = (low + high) / 2u;
    if (weft_before(weft_tile_get(runs.second + diagonal - 1u - middle), weft_tile_get(runs.first + middle))) {
      high = middle;
    } else {
      low = middle + 1u;
    }
  }
  return low;
}

void weft_merge_runs(WeftRuns runs, uint diagonal, out T x[WEFT_ROWS], out uint places[WEFT_ROWS]) {
  diagonal = min(diagonal, runs.end - runs.first);
  uint i = runs.first + weft_merge_split(runs, diagonal);
  uint j = runs.second + diagonal - (i - runs.first);
  uint last = gl_WorkGroupSize.x * WEFT_ROWS - 1u;
  T a = weft_tile_get(min(i, last)), b = weft_tile_get(min(j, last));  // Behind a run's end what is read decides nothing.
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    bool of_second = weft_is_of_second(runs, i, j, b, a);
    x[k] = a;
    if (of_second) x[k] = b;
    places[k] = of_second ? j : i;
    uint next = places[k] + 1u;
    T y = weft_tile_get(min(next, last));
    if (of_second) {
      j = next;
      b = y;
    } else {
      i = next;
      a = y;
    }
  }
}

#endif
