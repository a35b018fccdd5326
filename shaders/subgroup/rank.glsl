// Ranks among the lanes of a subgroup that want something, and one atomic for all of them.
//
// Gives:    WeftRank weft_ballot_rank(bool wanted)   .before: lower lanes that want it; .total: all lanes that do
//           WEFT_AGGREGATED_ADD(slot, memory, wanted)   gives each lane that wants one a slot of its own
// Usage:    uint slot;
//           WEFT_AGGREGATED_ADD(slot, args.queue.count, keep);
//           if (keep) args.queue.item[slot] = x;
//
// `memory` is any 32-bit counter, a buffer's or a shared variable, and gets one atomicAdd. `slot` means nothing in
// lanes that do not want one. All lanes of the subgroup take part, including those that want nothing.
// (Adinets 2014, warp-aggregated atomics.)
#ifndef WEFT_SUBGROUP_RANK
#define WEFT_SUBGROUP_RANK

#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

struct WeftRank {
  uint before, total;
};

WeftRank weft_ballot_rank(bool wanted) {
  uvec4 ballot = subgroupBallot(wanted);
  return WeftRank(subgroupBallotExclusiveBitCount(ballot), subgroupBallotBitCount(ballot));
}

// A macro, because an atomic's memory cannot be passed to a function.
#define WEFT_AGGREGATED_ADD(slot, memory, wanted)                                           \
  {                                                                                         \
    WeftRank weft_rank = weft_ballot_rank(wanted);                                          \
    slot = 0u;                                                                              \
    if (subgroupElect() && weft_rank.total > 0u) slot = atomicAdd(memory, weft_rank.total); \
    slot = subgroupBroadcastFirst(slot) + weft_rank.before;                                 \
  }

#endif
