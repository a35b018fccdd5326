// Reduction of runs of equal keys among the lanes of a subgroup, so that the first lane of each run acts for all of it.
// Keys that come in runs, as in partially sorted data, then need few atomics.
//
// Gives:    bool WEFT_OP(subgroup_reduce_runs)(uint key, inout T x)
//                   in the first lane of each run of lanes with the same key: true, and x is the run's total; elsewhere
//                   false, and x means nothing
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    if (sum_subgroup_reduce_runs(cell, mass)) atomicAdd(args.cells.mass[cell], mass);
//
// All lanes of the subgroup call it together; those that have nothing pass a key that no other lane uses. log2(subgroup
// size) + 1 shuffles of a word, and log2(subgroup size) of an element. Include this file once for each operator.

#include "weft/subgroup/reduce_scan.glsl"

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
