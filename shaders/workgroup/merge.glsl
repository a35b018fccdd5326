// Merging of sorted runs in workgroup memory, WEFT_ROWS consecutive elements of the result in each invocation.
// (Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.)
//
// Gives:    WeftRuns   two runs, one after the other
//           void weft_merge_runs(WeftRuns runs, diagonal, out T x[WEFT_ROWS], out uint indices[WEFT_ROWS])
//                   the elements of the merged runs from `diagonal` on, and their indices in the tile; those past the
//                   last one are undefined
// Macros:   those of weft/thread/comparison.glsl and weft/workgroup/tile_memory.glsl
//           WEFT_ROWS   elements of an invocation; an odd number avoids bank conflicts between invocations
//           WEFT_SEGMENTS   optional: only the segment that straddles the two runs is merged; all other elements stay
// Usage:    weft_tile_put(index, x, index);
//           barrier();
//           weft_merge_runs(weft_runs(0u, first_count, count), gl_LocalInvocationIndex * WEFT_ROWS, x, indices);
//           barrier();
//
// Equal elements keep their order, those of the first run before those of the second. The caller has a barrier between
// putting and merging. Elements from the end of the second run to the end of the tile are read too, so put something
// there.
#ifndef WEFT_WORKGROUP_MERGE
#define WEFT_WORKGROUP_MERGE

#include "weft/thread/comparison.glsl"
#include "weft/workgroup/tile_memory.glsl"

struct WeftRuns {
  uint first, second, end;  // [first, second) and [second, end).
  uint lower, upper;        // [lower, second) and [second, upper) are merged.
};

WeftRuns weft_runs(uint first, uint second, uint end) { return WeftRuns(first, second, end, first, end); }

// Whether element j of the second run comes next, before element i of the first. `b` and `a` are the two.
bool weft_is_of_second(WeftRuns runs, uint i, uint j, T b, T a) {
#ifdef WEFT_SEGMENTS
  // Computes every condition, without branches: invocations would diverge.
  bool before = weft_before(b, a), none_left = i >= runs.second;
  bool merged = j < runs.upper;
  merged = merged && i >= runs.lower;
  return none_left || (merged && before);
#else
  return j < runs.end && (i >= runs.second || weft_before(b, a));
#endif
}

// The number of elements of the first run among the first `diagonal` elements of the merged runs.
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

void weft_merge_runs(WeftRuns runs, uint diagonal, out T x[WEFT_ROWS], out uint indices[WEFT_ROWS]) {
  diagonal = min(diagonal, runs.end - runs.first);
  uint i = runs.first + weft_merge_split(runs, diagonal);
  uint j = runs.second + diagonal - (i - runs.first);
  uint last = gl_WorkGroupSize.x * WEFT_ROWS - 1u;
  T a = weft_tile_get(min(i, last)), b = weft_tile_get(min(j, last));  // Past a run's end: ignored.
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    bool of_second = weft_is_of_second(runs, i, j, b, a);
    x[k] = a;
    if (of_second) x[k] = b;
    indices[k] = of_second ? j : i;
    uint next = indices[k] + 1u;
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
