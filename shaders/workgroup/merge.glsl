// Merging of sorted runs in workgroup memory, WEFT_ROWS consecutive elements of the result in each invocation.
// (Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.)
//
// Gives:    void weft_merge_runs(first, second, end, diagonal, out T x[WEFT_ROWS], out uint places[WEFT_ROWS])
//                   of the runs at [first, second) and [second, end) merged, the elements from `diagonal` on, and
//                   where they lie; what lies behind the last is undefined
// Macros:   those of weft/thread/order.glsl and weft/workgroup/tile_memory.glsl
//           WEFT_ROWS   elements of an invocation; an odd number keeps invocations off one another's banks
// Usage:    weft_tile_put(place, x, place);
//           barrier();
//           weft_merge_runs(0u, first_count, count, gl_LocalInvocationIndex * WEFT_ROWS, x, places);
//           barrier();
//
// Equal elements keep their order, those of the first run before those of the second. Barriers between putting
// and merging are the caller's.
#ifndef WEFT_WORKGROUP_MERGE
#define WEFT_WORKGROUP_MERGE

#include "weft/thread/elements.glsl"
#include "weft/thread/order.glsl"
#include "weft/workgroup/tile_memory.glsl"

// How many of the merged runs' first `diagonal` elements are of the first run.
uint weft_merge_split(uint first, uint second, uint end, uint diagonal) {
  uint low = diagonal - min(diagonal, end - second), high = min(diagonal, second - first);
  while (low < high) {
    uint middle = (low + high) / 2u;
    if (weft_before(weft_tile_get(second + diagonal - 1u - middle), weft_tile_get(first + middle))) {
      high = middle;
    } else {
      low = middle + 1u;
    }
  }
  return low;
}

void weft_merge_runs(uint first, uint second, uint end, uint diagonal, out T x[WEFT_ROWS],
                     out uint places[WEFT_ROWS]) {
  diagonal = min(diagonal, end - first);
  uint i = first + weft_merge_split(first, second, end, diagonal);
  uint j = second + diagonal - (i - first);
  T a = weft_zero(), b = weft_zero();
  if (i < second) a = weft_tile_get(i);
  if (j < end) b = weft_tile_get(j);
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    bool of_second = j < end && (i >= second || weft_before(b, a));
    x[k] = a;
    if (of_second) x[k] = b;
    places[k] = of_second ? j : i;
    uint next = places[k] + 1u;
    if (of_second) {
      j = next;
    } else {
      i = next;
    }
    T y = a;
    if (next < (of_second ? end : second)) y = weft_tile_get(next);
    if (of_second) {
      b = y;
    } else {
      a = y;
    }
  }
}

#endif
