#version 460
// First of the two dispatches of a merge: where each output tile starts in the two runs that it is merged from.
//
// Inputs:  two sorted runs, or with WEFT_MERGE_SORT pairs of runs; one invocation for each tile.
// Output:  splits, one position for each tile: how many elements of the first run come before it; with WEFT_SEGMENTS a
//          list of the tiles in which the merge has something to do.
// After:   Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/merge_work.glsl"
#include "weft/thread/elements.glsl"
#include "weft/thread/order.glsl"

void main() {
  WeftMergeCounts counts = weft_merge_counts();
  uint tile = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#ifdef WEFT_SEGMENTS
  uint limit = weft_tile_limit(counts.extent, tile);
  weft_list_tile(tile, tile < counts.extent.tiles && weft_has_work(weft_merge_work(counts, tile, limit)));
#endif
  if (tile >= counts.extent.tiles) return;
  WeftMergePair pair = weft_merge_pair(counts, tile);
  WeftIndex low = weft_subtract(pair.diagonal, weft_min(pair.diagonal, pair.moving));
  WeftIndex high = weft_min(pair.diagonal, pair.first_count);
  if (weft_less(low, pair.staying)) low = pair.staying;
  low = weft_min(low, high);
  while (weft_less(low, high)) {
    WeftIndex middle = weft_add(low, weft_half(weft_subtract(high, low)));
    WeftIndex after = weft_add(middle, weft_index(1u));
    T a = weft_load_at(args.first, weft_add(pair.first, middle));
    T b = weft_load_at(args.second, weft_add(pair.second, weft_subtract(pair.diagonal, after)));
    if (weft_before(b, a)) {
      high = middle;
    } else {
      low = after;
    }
  }
  args.splits.tile[tile] = low;
}
