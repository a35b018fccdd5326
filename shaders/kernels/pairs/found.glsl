// Pairs of indices in memory, and which of them are wanted.
//
// Gives:    bool weft_is_wanted(primitives, vertices, a, b)   by the expression WEFT_PAIR_WHERE; without it true
//           void weft_store_pair(pairs, uvec2 capacity, WeftIndex slot, a, b)   with the lower index first; nothing
//                                                                               from slot `capacity` on
// Macros:   WEFT_PAIR_WHERE   optional: GLSL expression of `a` and `b`, primitives of type K, and `i` and `j`, their
//                             indices; i is the lower one
//           those of weft/thread/memory.glsl, and with WEFT_PAIR_WHERE of weft/kernels/trees/primitives.glsl
#ifndef WEFT_KERNELS_PAIRS_FOUND
#define WEFT_KERNELS_PAIRS_FOUND

#include "weft/thread/box.glsl"
#include "weft/thread/memory.glsl"

#ifdef WEFT_PAIR_WHERE
#include "weft/kernels/trees/primitives.glsl"

// Precise: the kernel that counts and the one that stores must agree.
bool weft_pair_where(K a, K b, uint i, uint j) {
  precise bool result = WEFT_PAIR_WHERE;
  return result;
}

bool weft_is_wanted(uvec2 primitives, uvec2 vertices, uint a, uint b) {
  uint i = min(a, b), j = max(a, b);
  K first = weft_load_primitive(primitives, vertices, i), second = weft_load_primitive(primitives, vertices, j);
  return weft_pair_where(first, second, i, j);
}
#else
bool weft_is_wanted(uvec2 primitives, uvec2 vertices, uint a, uint b) { return true; }
#endif

void weft_store_pair(uvec2 pairs, uvec2 capacity, WeftIndex slot, uint a, uint b) {
  if (!weft_less(weft_wide(slot), capacity)) return;
  uvec2 at = weft_element_address(pairs, 8u, weft_wide(slot));
  weft_store_word(at, 0u, 0u, min(a, b));
  weft_store_word(at, 0u, 1u, max(a, b));
}

#endif
