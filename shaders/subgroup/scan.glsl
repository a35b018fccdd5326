// Prefix scan over the lanes of a subgroup.
//
// Gives:    T WEFT_OP(subgroup_inclusive_scan)(T x)   x of lane 0 op ... op x of this lane
//           T WEFT_OP(subgroup_exclusive_scan)(T x, out T total)   without this lane's; the identity in lane 0
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    uint total;
//           uint before = sum_subgroup_exclusive_scan(x, total);
//
// All lanes of the subgroup call them together. log2(subgroup size) shuffles (Hillis and Steele 1986).
#ifndef WEFT_SUBGROUP_SCAN
#define WEFT_SUBGROUP_SCAN

#include "weft/subgroup/lanes.glsl"
#include "weft/subgroup/shuffle.glsl"

T WEFT_OP(subgroup_inclusive_scan)(T x) {
  uint lanes = weft_lanes();
  for (uint delta = 1u; delta < lanes; delta *= 2u) {
    T earlier = WEFT_OP(subgroup_shuffle_up)(x, delta);
    if (gl_SubgroupInvocationID >= delta) x = WEFT_OP(combine)(earlier, x);
  }
  return x;
}

T WEFT_OP(subgroup_exclusive_scan)(T x, out T total) {
  T inclusive = WEFT_OP(subgroup_inclusive_scan)(x);
  total = WEFT_OP(subgroup_shuffle)(inclusive, weft_lanes() - 1u);
  T exclusive = WEFT_OP(subgroup_shuffle_up)(inclusive, 1u);
  if (gl_SubgroupInvocationID == 0u) exclusive = WEFT_OP(identity)();
  return exclusive;
}

#endif
