// Keys that insertions into a bidirectional table have left: their number, and where they are among the results.
//
// Gives:    weft_left_buckets   bucket b stands for the tiles whose index is b modulo this number
//           bool weft_has_left(uvec2 memory, uint bucket)
//           void weft_set_left(uvec2 memory, uint bucket, bool has_left)
//           bool weft_any_left(uvec2 memory)
//           void weft_add_left(uvec2 memory, int number)   adds up those of all invocations; all call it together
// Macros:   none
//
// The memory is zero before the first dispatch: the number of keys, then a word for each bucket.
#ifndef WEFT_KERNELS_LEFT_KEYS
#define WEFT_KERNELS_LEFT_KEYS

#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "weft/thread/memory.glsl"

const uint weft_left_buckets = 256u;

bool weft_has_left(uvec2 memory, uint bucket) { return WeftWords(memory).word[1u + bucket] != 0u; }

// Invocations of one tile may store the same word.
void weft_set_left(uvec2 memory, uint bucket, bool has_left) {
  WeftWords to = WeftWords(memory);
  atomicStore(to.word[1u + bucket], uint(has_left), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

bool weft_any_left(uvec2 memory) {
  WeftWords from = WeftWords(memory);
  return atomicLoad(from.word[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed) != 0u;
}

void weft_add_left(uvec2 memory, int number) {
  WeftWords to = WeftWords(memory);
  int sum = subgroupAdd(number);
  if (subgroupElect() && sum != 0) atomicAdd(to.word[0], uint(sum));
}

#endif
