// Stable sort of a tile: each invocation sorts WEFT_ROWS consecutive elements in registers, then each merge in
// workgroup memory doubles the length of the sorted runs. With segments, merging stops once no segment is in more than
// two runs; then those two are merged. (Satish, Harris and Garland 2009, Designing Efficient Sorting Algorithms for
// Manycore GPUs.)
//
// Gives:    void weft_workgroup_merge_sort(uint limit, uint heads)
//                   sorts the tile's first `limit` elements, which were put with weft_tile_put(); weft_tile_get() reads
//                   them afterwards
// Macros:   those of weft/workgroup/merge.glsl; the workgroup's size is a power of two
//           WEFT_SEGMENTS   optional: each segment is sorted on its own, and `heads` comes from weft_find_segments() of
//                           weft/workgroup/tile_segments.glsl. Without it `heads` is 0
// Usage:    weft_tile_put(index, x, index);
//           weft_workgroup_merge_sort(limit, 0u);
//           x = weft_tile_get(index);
//
// All invocations of the workgroup call it together. Starts and ends with a barrier.
#ifndef WEFT_WORKGROUP_MERGE_SORT
#define WEFT_WORKGROUP_MERGE_SORT

#include "weft/thread/element_memory.glsl"
#include "weft/thread/sort.glsl"
#include "weft/workgroup/merge.glsl"

void weft_put_consecutive(T x[WEFT_ROWS], uint sources[WEFT_ROWS]) {
  barrier();  // All have read the old elements.
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    weft_tile_put(gl_LocalInvocationIndex * WEFT_ROWS + uint(k), x[k], sources[k]);
  }
  barrier();
}

// Merges of runs of `invocations` invocations each, a power of two: runs 0 and 1, 2 and 3, ...; or, if `odd`, 1 and 2,
// 3 and 4, ...
struct WeftRound {
  uint invocations;
  bool odd;
};

#ifdef WEFT_SEGMENTS
#include "weft/workgroup/merge_sort_segments.glsl"
#else
WeftRuns weft_bound_runs(WeftRuns runs, uint invocation) { return runs; }
WeftRound weft_next_round(WeftRound now) { return WeftRound(2u * now.invocations, false); }
#endif

// The two runs that this invocation helps to merge, of the tile's first `limit` elements. In an odd round the tile's
// first run is a second one without a first, and its last run a first one without a second.
WeftRuns weft_runs_of(WeftRound now, uint limit) {
  uint pairs = ~(2u * now.invocations - 1u), length = now.invocations * WEFT_ROWS;
  uint invocation = now.odd ? (gl_LocalInvocationIndex + now.invocations) & pairs
                            : (gl_LocalInvocationIndex & pairs) + now.invocations;  // of the second run's start
  uint second = invocation * WEFT_ROWS;
  WeftRuns runs = weft_runs(min(second - min(length, second), limit), min(second, limit), min(second + length, limit));
  return weft_bound_runs(runs, invocation);
}

void weft_workgroup_merge_sort(uint limit, uint heads) {
  T x[WEFT_ROWS];
  uint sources[WEFT_ROWS];
  uint mine = gl_LocalInvocationIndex * WEFT_ROWS;
  barrier();
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    x[k] = weft_zero();
    sources[k] = 0u;
    if (mine + uint(k) < limit) {
      x[k] = weft_tile_get(mine + uint(k));
      sources[k] = weft_tile_source(mine + uint(k));
    }
  }
  weft_thread_sort(x, sources, limit - min(limit, mine), heads);
  weft_put_consecutive(x, sources);
  for (WeftRound now = WeftRound(1u, false); now.invocations < gl_WorkGroupSize.x; now = weft_next_round(now)) {
    uint indices[WEFT_ROWS];
    WeftRuns runs = weft_runs_of(now, limit);
    weft_merge_runs(runs, mine - runs.first, x, indices);
#ifdef WEFT_TILE_SOURCES
    [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
      sources[k] = weft_tile_source(min(indices[k], gl_WorkGroupSize.x * WEFT_ROWS - 1u));
    }
#endif
    weft_put_consecutive(x, sources);
  }
}

#endif
