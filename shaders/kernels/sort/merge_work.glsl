// What a merge has to do in an output tile; shared by the kernels that split and merge.
//
// Gives:    WeftMergeWork   places that are merged, and two ranges that are read and written
//           WeftMergeWork weft_merge_work(counts, tile, limit)   of the tile with so many elements
//           bool weft_has_work(work)                             whether there is any
//           bool weft_is_work(work, place)                       whether the place is read and written
//           void weft_list_tile(tile, busy)   with WEFT_SEGMENTS: puts a busy tile on the list that an indirect dispatch
//                   takes; all invocations of the subgroup call it together
// Macros:   those of weft/kernels/sort/merge_pair.glsl
//
// Without WEFT_SEGMENTS that is the whole tile. With it, only what the merge moves, and what the one before moved: of all
// else both memories hold the same. The first merge takes all that is not settled.
#ifndef WEFT_KERNELS_MERGE_WORK
#define WEFT_KERNELS_MERGE_WORK

#include "weft/kernels/sort/merge_pair.glsl"
#ifdef WEFT_SEGMENTS
#include "weft/subgroup/rank.glsl"
#endif

struct WeftMergeWork {
  WeftPlaces merged;
  WeftPlaces first, second;  // What of the tile is read and written.
};

WeftMergeWork weft_merge_work(WeftMergeCounts counts, uint tile, uint limit) {
  WeftPlaces all = WeftPlaces(0u, limit);
  WeftMergeWork work = WeftMergeWork(all, all, WeftPlaces(0u, 0u));
#ifdef WEFT_SEGMENTS
  work.merged = weft_merged_places(counts, tile, limit, args.run_tiles);
  if (args.run_tiles == args.bound_tiles) {
    WeftPlaces settled = weft_settled_places(counts, tile, limit);
    work.first.end = settled.begin;
    work.second = WeftPlaces(settled.end, limit);
  } else {
    work.first = work.merged;
    work.second = weft_merged_places(counts, tile, limit, args.run_tiles / 2u);
  }
#endif
  return work;
}

bool weft_is_within(WeftPlaces places, uint place) { return place >= places.begin && place < places.end; }

bool weft_is_work(WeftMergeWork work, uint place) {
  return weft_is_within(work.first, place) || weft_is_within(work.second, place);
}

bool weft_has_work(WeftMergeWork work) {
  return work.first.begin != work.first.end || work.second.begin != work.second.end;
}

#ifdef WEFT_SEGMENTS
void weft_list_tile(uint tile, bool busy) {
  const uint row = 32768u;  // Every device takes a grid so wide.
  WeftRank rank = weft_ballot_rank(busy);
  uint slot = 0u;
  if (subgroupElect() && rank.total > 0u) {
    slot = atomicAdd(args.busy.count, rank.total);
    uint last = slot + rank.total - 1u;
    atomicMax(args.busy.groups[0], min(last + 1u, row));
    atomicMax(args.busy.groups[1], last / row + 1u);
    atomicMax(args.busy.groups[2], 1u);
  }
  slot = subgroupBroadcastFirst(slot) + rank.before;
  if (busy) args.busy_tiles.tile[slot] = tile;
}
#endif

#endif
