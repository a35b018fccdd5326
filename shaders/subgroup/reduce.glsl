// Reduction over the lanes of a subgroup, in their order.
//
// Gives:    T WEFT_OP(subgroup_reduce)(T x)   x of lane 0 op x of lane 1 op ...; every lane gets it
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    float peak = peak_subgroup_reduce(x);
//
// All lanes of the subgroup call it together. log2(subgroup size) + 1 shuffles.
#ifndef WEFT_SUBGROUP_REDUCE
#define WEFT_SUBGROUP_REDUCE

#include "weft/subgroup/lanes.glsl"
#include "weft/subgroup/shuffle.glsl"

T WEFT_OP(subgroup_reduce)(T x) {
  uint lanes = weft_lanes();
  for (uint delta = 1u; delta < lanes; delta *= 2u) {
    T later = WEFT_OP(subgroup_shuffle_down)(x, delta);
    if (gl_SubgroupInvocationID + delta < lanes) x = WEFT_OP(combine)(x, later);
  }
  // Lane 0 has combined [0, 2), [0, 4), ...: it alone holds all of them.
  return WEFT_OP(subgroup_shuffle)(x, 0u);
}

#endif
