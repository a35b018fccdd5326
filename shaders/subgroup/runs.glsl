// Reduction of runs of equal keys among the lanes of a subgroup, so that one lane speaks for each run: few atomics for keys
// that come in runs, as those of partially sorted data do.
//
// Gives:    bool WEFT_OP(subgroup_reduce_runs)(uint key, inout T x)   in the first lane of each run of lanes with the
//                   same key: true, and x is what the run comes to; elsewhere false, and x means nothing
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    if (sum_subgroup_reduce_runs(cell, mass)) atomicAdd(args.cells.mass[cell], mass);
//
// All lanes of the subgroup call it together; those that have nothing pass a key that no other lane has use for.
// 2 * log2(subgroup size) shuffles of a word, and as many of an element.
#ifndef WEFT_SUBGROUP_RUNS
#define WEFT_SUBGROUP_RUNS

#include "weft/subgroup/lanes.glsl"
#include "weft/subgroup/shuffle.glsl"

bool WEFT_OP(subgroup_reduce_runs)(uint key, inout T x) {
  uint lanes = weft_lanes();
  uint key_before = subgroupShuffleUp(key, 1u);
  bool head = gl_SubgroupInvocationID == 0u || key != key_before;
  uint run = subgroupBallotInclusiveBitCount(subgroupBallot(head));
  for (uint delta = 1u; delta < lanes; delta *= 2u) {
    T later = WEFT_OP(subgroup_shuffle_down)(x, delta);
    uint later_run = subgroupShuffleDown(run, delta);
    bool same = gl_SubgroupInvocationID + delta < lanes && later_run == run;
    if (same) x = WEFT_OP(combine)(x, later);
  }
  return head;
}

#endif
