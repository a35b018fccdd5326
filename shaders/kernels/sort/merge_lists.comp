#version 460
// Lists the tiles in which some consecutive merges of a segmented sort have work, before the first of them.
//
// Inputs:  bounds as merge_bounds.comp leaves them; one invocation for each tile of each merge. The workgroups of one y
//          are for one merge: of runs of `run_tiles` tiles, of twice as many and so on.
// Output:  busy and busy_tiles for each merge. `busy` is zero before.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/kernels/sort/merge_work.glsl"
#include "weft/subgroup/rank.glsl"

bool has_work(WeftMergeCounts counts, uint tile, uint run_tiles) {
  if (tile >= counts.extent.tiles) return false;
  WeftMergeWork work = weft_straddled_work(counts, tile, weft_tile_limit(counts.extent, tile), run_tiles);
  return work.first.begin != work.first.end || work.second.begin != work.second.end;
}

void list_tile(uint merge, uint tile, bool busy) {
  const uint row = 32768u;  // Every device takes a grid of that width.
  WeftRank rank = weft_ballot_rank(busy);
  uint slot = 0u;
  if (subgroupElect() && rank.total > 0u) {
    slot = atomicAdd(args.busy.merge[merge].count, rank.total);
    uint last = slot + rank.total - 1u;
    atomicMax(args.busy.merge[merge].groups[0], min(last + 1u, row));
    atomicMax(args.busy.merge[merge].groups[1], last / row + 1u);
    atomicMax(args.busy.merge[merge].groups[2], 1u);
  }
  slot = subgroupBroadcastFirst(slot) + rank.before;
  uvec2 lists_before = weft_multiply(weft_wide(4u * merge), args.listed_tiles);
  WeftBusyTiles list = WeftBusyTiles(weft_add(uvec2(args.busy_tiles), lists_before));
  if (busy) list.tile[slot] = tile;
}

void main() {
  uint merge = gl_WorkGroupID.y, group = gl_WorkGroupID.z * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint tile = group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  list_tile(merge, tile, has_work(weft_merge_counts(), tile, args.run_tiles << merge));
}
