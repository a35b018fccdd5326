// The part of an output tile that a merge has to read and write; shared by the kernels that split and merge.
//
// Gives:    WeftMergeWork   the range of the tile that is merged, and two ranges that are read and written
//           bool weft_is_work(work, index)   whether that element of the tile is read and written
//           WeftMergePair weft_merge_pair(counts, tile)
//           WeftMergeWork weft_merge_work(counts, tile, limit)   of a tile with `limit` elements
//           bool weft_take_listed(counts, inout uint tile)   from a workgroup's index to its tile; false if it has none
// Macros:   those of weft/kernels/sort/merge_pair.glsl
//           WEFT_SEGMENTS   optional: weft/kernels/sort/merge_segments.glsl says what the work is. Without it, all
//                           tiles are work as a whole
#ifndef WEFT_KERNELS_MERGE_WORK
#define WEFT_KERNELS_MERGE_WORK

#include "weft/kernels/sort/merge_pair.glsl"

struct WeftTileRange {
  uint begin, end;  // Elements of a tile.
};

struct WeftMergeWork {
  WeftTileRange merged;
  WeftTileRange first, second;  // Read and written.
};

bool weft_is_within(WeftTileRange range, uint index) { return index >= range.begin && index < range.end; }

bool weft_is_work(WeftMergeWork work, uint index) {
  return weft_is_within(work.first, index) || weft_is_within(work.second, index);
}

#ifdef WEFT_SEGMENTS
#include "weft/kernels/sort/merge_segments.glsl"
#else
WeftMergePair weft_merge_pair(WeftMergeCounts counts, uint tile) {
  return weft_whole_pair(counts, tile, args.run_tiles);
}

WeftMergeWork weft_merge_work(WeftMergeCounts counts, uint tile, uint limit) {
  WeftTileRange all = WeftTileRange(0u, limit);
  return WeftMergeWork(all, all, WeftTileRange(0u, 0u));
}

bool weft_take_listed(WeftMergeCounts counts, inout uint tile) { return tile < counts.extent.tiles; }
#endif

#endif
