// Stable sort of a tile: each invocation sorts WEFT_ROWS consecutive elements in registers, then runs of these are merged
// in workgroup memory, twice as long each round. (Satish, Harris and Garland 2009, Designing Efficient Sorting
// Algorithms for Manycore GPUs.)
//
// Gives:    void weft_workgroup_merge_sort(uint limit, uint heads)   sorts the tile's first `limit` elements, which were
//                   put with weft_tile_put(); weft_tile_get() reads them afterwards
// Macros:   those of weft/workgroup/merge.glsl; the workgroup's size is a power of two
//           WEFT_SEGMENTS   optional: each segment is sorted on its own; `heads` comes from weft_find_segments() of
//                           weft/workgroup/tile_segments.glsl. Otherwise 0
// Usage:    weft_tile_put(place, x, place);
//           weft_workgroup_merge_sort(limit, 0u);
//           x = weft_tile_get(place);
//
// All invocations of the workgroup call it together. Starts and ends with a barrier.
#ifndef WEFT_WORKGROUP_MERGE_SORT
#define WEFT_WORKGROUP_MERGE_SORT

#include "weft/thread/elements.glsl"
#include "weft/thread/sort.glsl"
#include "weft/workgroup/merge.glsl"
#ifdef WEFT_SEGMENTS
#include "weft/workgroup/tile_segments.glsl"
#endif

void weft_put_consecutive(T x[WEFT_ROWS], uint sources[WEFT_ROWS]) {
  barrier();  // Everyone has read what lay there.
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    weft_tile_put(gl_LocalInvocationIndex * WEFT_ROWS + uint(k), x[k], sources[k]);
  }
  barrier();
}

// The runs of `invocations` invocations each that this one helps to merge, of the tile's first `limit` elements.
WeftRuns weft_runs_of(uint invocations, uint limit) {
  uint invocation = gl_LocalInvocationIndex / (2u * invocations) * (2u * invocations);
  uint first = min(invocation * WEFT_ROWS, limit), length = invocations * WEFT_ROWS;
  uint second = min(first + length, limit), end = min(second + length, limit);
  WeftRuns runs = weft_runs(first, second, end);
#ifdef WEFT_SEGMENTS
  uvec2 segment = weft_segment_at(invocation + invocations);
  runs.lower = clamp(segment.x, first, second);
  runs.upper = clamp(segment.y, second, end);
#endif
  return runs;
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
  for (uint invocations = 1u; invocations < gl_WorkGroupSize.x; invocations *= 2u) {
    uint within = gl_LocalInvocationIndex % (2u * invocations);
    uint places[WEFT_ROWS];
    weft_merge_runs(weft_runs_of(invocations, limit), within * WEFT_ROWS, x, places);
#ifdef WEFT_TILE_SOURCES
    [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
      sources[k] = weft_tile_source(min(places[k], gl_WorkGroupSize.x * WEFT_ROWS - 1u));
    }
#endif
    weft_put_consecutive(x, sources);
  }
}

#endif
