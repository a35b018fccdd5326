// Merges of runs of segments, in place of the functions for whole runs in weft/kernels/sort/merge_work.glsl.
//
// Each merge touches only the segment that straddles the two runs. Elements moved by neither this merge nor the
// previous one stay put, as both memories hold them already. The first merge takes everything that is not settled:
// segments within one of the first runs are, and merge_sort_tiles.comp has written them to the output. So are short
// segments in two of them, by merge_bounds.comp.
#ifndef WEFT_KERNELS_MERGE_SEGMENTS
#define WEFT_KERNELS_MERGE_SEGMENTS

#include "weft/thread/indices.glsl"

// The pair of runs of that length, of which only the segment that both share is merged.
WeftMergePair weft_straddled_pair(WeftMergeCounts counts, uint tile, uint run_tiles) {
  WeftMergePair pair = weft_whole_pair(counts, tile, run_tiles);
  if (pair.second_count != weft_index(0u)) {
    uint second_tile = tile - tile % (2u * run_tiles) + run_tiles;
    WeftIndex bound = weft_product(second_tile / args.bound_tiles, 2u);
    WeftIndex lower = weft_load_index(args.bounds, bound);
    WeftIndex upper = weft_load_index(args.bounds, weft_add(bound, weft_index(1u)));
    if (weft_less(pair.first, lower)) pair.staying = weft_subtract(lower, pair.first);
    pair.moving = weft_min(weft_subtract(upper, pair.second), pair.second_count);
  }
  return pair;
}

WeftMergePair weft_merge_pair(WeftMergeCounts counts, uint tile) {
  return weft_straddled_pair(counts, tile, args.run_tiles);
}

// The tile's elements before `element`, of a tile that starts at `start`.
uint weft_elements_before(WeftIndex element, WeftIndex start, uint limit) {
  if (weft_less(element, start)) return 0u;
  return weft_low(weft_min(weft_subtract(element, start), weft_index(limit)));
}

// The elements of the tile that the merge of runs of that length moves.
WeftTileRange weft_merged_range(WeftMergeCounts counts, uint tile, uint limit, uint run_tiles) {
  WeftMergePair pair = weft_straddled_pair(counts, tile, run_tiles);
  if (pair.moving == weft_index(0u)) return WeftTileRange(0u, 0u);
  return WeftTileRange(weft_elements_before(pair.staying, pair.diagonal, limit),
                       weft_elements_before(weft_add(pair.first_count, pair.moving), pair.diagonal, limit));
}

// The elements of the tile that no merge moves: those of weft_settled_elements() of merge_sort_segments.glsl, and those
// of segments that merge_bounds.comp took from the bounds.
WeftTileRange weft_settled_range(WeftMergeCounts counts, uint tile, uint limit) {
  uint run = tile / args.bound_tiles;
  WeftIndex start = weft_product(tile, weft_tile_size()), bound = weft_product(run, 2u);
  WeftTileRange settled = WeftTileRange(0u, limit);
  if (run > 0u) {
    settled.begin = weft_elements_before(weft_load_index(args.bounds, weft_add(bound, weft_index(1u))), start, limit);
  }
  if ((run + 1u) * args.bound_tiles < counts.extent.tiles) {
    settled.end = weft_elements_before(weft_load_index(args.bounds, weft_add(bound, weft_index(2u))), start, limit);
  }
  return settled;
}

// The work of the merge of runs of that length.
WeftMergeWork weft_straddled_work(WeftMergeCounts counts, uint tile, uint limit, uint run_tiles) {
  WeftTileRange all = WeftTileRange(0u, limit);
  WeftMergeWork work = WeftMergeWork(all, all, WeftTileRange(0u, 0u));
  work.merged = weft_merged_range(counts, tile, limit, run_tiles);
  if (run_tiles == args.bound_tiles) {
    WeftTileRange settled = weft_settled_range(counts, tile, limit);
    work.first.end = settled.begin;
    work.second = WeftTileRange(settled.end, limit);
  } else {
    work.first = work.merged;
    work.second = weft_merged_range(counts, tile, limit, run_tiles / 2u);
  }
  return work;
}

WeftMergeWork weft_merge_work(WeftMergeCounts counts, uint tile, uint limit) {
  return weft_straddled_work(counts, tile, limit, args.run_tiles);
}

bool weft_take_listed(WeftMergeCounts counts, inout uint tile) {
  if (tile >= args.busy.merge[0].count) return false;
  tile = args.busy_tiles.tile[tile];
  return true;
}

#endif
