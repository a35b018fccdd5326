// Shuffle, reduction and prefix scan over the lanes of a subgroup, in their order.
//
// Gives:    T WEFT_OP(subgroup_shuffle)(T x, uint lane)         x of that lane
//           T WEFT_OP(subgroup_shuffle_up)(T x, uint delta)     x of the lane `delta` below
//           T WEFT_OP(subgroup_shuffle_down)(T x, uint delta)   x of the lane `delta` above
//           T WEFT_OP(subgroup_reduce)(T x)           x of lane 0 op x of lane 1 op ...; every lane gets it
//           T WEFT_OP(subgroup_inclusive_scan)(T x)   x of lane 0 op ... op x of this lane
//           T WEFT_OP(subgroup_exclusive_scan)(T x, out T total)   without this lane's; the identity in lane 0
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    float peak = peak_subgroup_reduce(x);
//           uint total;
//           uint before = sum_subgroup_exclusive_scan(x, total);
//
// All lanes of the subgroup call them together. Elements move as 32-bit words, so no device needs 64-bit shuffles. What
// comes from a lane that does not exist is undefined. A reduction takes log2(subgroup size) + 1 shuffles of an element,
// an inclusive scan log2(subgroup size) (Hillis and Steele 1986), an exclusive scan two more.
#ifdef WEFT_NEW_OPERATOR
#undef WEFT_NEW_OPERATOR

#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#include "weft/subgroup/lanes.glsl"

T WEFT_OP(subgroup_shuffle)(T x, uint lane) {
  uint words[] = weft_to_words(x);
  [[unroll]] for (int i = 0; i < words.length(); ++i) words[i] = subgroupShuffle(words[i], lane);
  weft_from_words(words, x);
  return x;
}

T WEFT_OP(subgroup_shuffle_up)(T x, uint delta) {
  uint words[] = weft_to_words(x);
  [[unroll]] for (int i = 0; i < words.length(); ++i) words[i] = subgroupShuffleUp(words[i], delta);
  weft_from_words(words, x);
  return x;
}

T WEFT_OP(subgroup_shuffle_down)(T x, uint delta) {
  uint words[] = weft_to_words(x);
  [[unroll]] for (int i = 0; i < words.length(); ++i) words[i] = subgroupShuffleDown(words[i], delta);
  weft_from_words(words, x);
  return x;
}

T WEFT_OP(subgroup_reduce)(T x) {
  uint lanes = weft_lanes();
  for (uint delta = 1u; delta < lanes; delta *= 2u) {
    T later = WEFT_OP(subgroup_shuffle_down)(x, delta);
    if (gl_SubgroupInvocationID + delta < lanes) x = WEFT_OP(combine)(x, later);
  }
  // Lane 0 has combined [0, 2), [0, 4), ...: it alone holds all of them.
  return WEFT_OP(subgroup_shuffle)(x, 0u);
}

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
