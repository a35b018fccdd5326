// Moving elements between the lanes of a subgroup, in 32-bit words, so that no device needs 64-bit shuffles.
//
// Gives:    T WEFT_OP(subgroup_shuffle)(T x, uint lane)         x of that lane
//           T WEFT_OP(subgroup_shuffle_up)(T x, uint delta)     x of the lane `delta` below
//           T WEFT_OP(subgroup_shuffle_down)(T x, uint delta)   x of the lane `delta` above
// Macros:   those of weft/thread/operator.glsl, which is included before
//
// All lanes of the subgroup call them together. What comes from a lane that does not exist is undefined.
#ifndef WEFT_SUBGROUP_SHUFFLE
#define WEFT_SUBGROUP_SHUFFLE

#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require

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

#endif
