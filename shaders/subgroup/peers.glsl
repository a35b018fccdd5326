// Reduction of equal keys anywhere in a subgroup, so that one lane acts for all of them. Few distinct keys in random
// order then need few atomics. For keys in runs, weft/subgroup/runs.glsl is quicker.
//
// Gives:    bool WEFT_OP(subgroup_reduce_peers)(uint key, bool holds, uint misses, inout T x)
//                   among the lanes that hold something: true in the first lane of those with the same key, and x is
//                   their total; elsewhere false, and x means nothing
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    if (sum_subgroup_reduce_peers(cell, inside, 2u, mass)) atomicAdd(args.cells.mass[cell], mass);
//
// All lanes of the subgroup call it together, with the same `misses`. Keys are looked for one after another, starting
// with the first lane's, until `misses` of them had no second lane. Lanes whose keys were not looked for are true, with
// their own x. So keys that are all different cost little, and a large `misses` merges all. A shuffle and a ballot for
// each key looked for; then a shuffle of an element, a vote and a ballot for each bit of the largest number of lanes
// with one key.
// (Westphal 2015, Voting and Shuffling to Optimize Atomic Operations.)

#extension GL_KHR_shader_subgroup_vote : require
#include "weft/subgroup/reduce_scan.glsl"

bool WEFT_OP(subgroup_reduce_peers)(uint key, bool holds, uint misses, inout T x) {
  uvec4 left = subgroupBallot(holds), peers = uvec4(0u);
  while (misses > 0u && subgroupBallotBitCount(left) > 1u) {
    uint looked_for = subgroupShuffle(key, subgroupBallotFindLSB(left));
    bool same = holds && key == looked_for;
    uvec4 group = subgroupBallot(same);
    if (same) peers = group;
    if (subgroupBallotBitCount(group) == 1u) --misses;
    left &= ~group;
  }
  // Lanes of even rank among their peers combine with the next one, and halve their rank.
  uint rank = subgroupBallotBitCount(peers & gl_SubgroupLtMask);
  bool first = holds && rank == 0u;
  peers &= gl_SubgroupGtMask;
  while (subgroupAny(peers != uvec4(0u))) {
    bool more = peers != uvec4(0u);
    T later = WEFT_OP(subgroup_shuffle)(x, more ? subgroupBallotFindLSB(peers) : gl_SubgroupInvocationID);
    if (more) x = WEFT_OP(combine)(x, later);
    peers &= subgroupBallot((rank & 1u) == 0u);
    rank /= 2u;
  }
  return first;
}
