// Sorts the elements that one invocation holds in registers, stably: odd-even transposition, which swaps only
// neighbours. (Habermann 1972, Parallel Neighbor-Sort.)
//
// Gives:    void weft_thread_sort(inout T x[WEFT_ROWS], inout uint sources[WEFT_ROWS], uint valid, uint heads)
//                   sorts the first `valid` elements, with their `sources`; the others are undefined afterwards. No
//                   element passes element k, at most 31, whose bit of `heads` is set
// Macros:   those of weft/thread/comparison.glsl
//           WEFT_ROWS   elements of an invocation
#ifndef WEFT_THREAD_SORT
#define WEFT_THREAD_SORT

#extension GL_EXT_control_flow_attributes : require
#include "weft/thread/comparison.glsl"

void weft_thread_sort(inout T x[WEFT_ROWS], inout uint sources[WEFT_ROWS], uint valid, uint heads) {
  if (valid < WEFT_ROWS) {
    // Fills up with copies of the largest valid element: equal elements keep their order, so the copies stay last.
    T last = x[0];
    [[unroll]] for (int k = 1; k < WEFT_ROWS; ++k) {
      if (uint(k) < valid && !weft_before(x[k], last)) last = x[k];
      if (uint(k) >= valid) x[k] = last;
    }
  }
  [[unroll]] for (int round = 0; round < WEFT_ROWS; ++round) {
    [[unroll]] for (int k = round % 2; k + 1 < WEFT_ROWS; k += 2) {
      bool apart = k < 31 && ((heads >> uint(k + 1)) & 1u) != 0u;
      if (!apart && weft_before(x[k + 1], x[k])) {
        T y = x[k];
        x[k] = x[k + 1];
        x[k + 1] = y;
        uint source = sources[k];
        sources[k] = sources[k + 1];
        sources[k + 1] = source;
      }
    }
  }
}

#endif
