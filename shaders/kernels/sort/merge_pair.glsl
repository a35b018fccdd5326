// The pair of sorted runs that an output tile is merged from; shared by the kernels that split and merge them.
//
// Gives:    args            the push constants of those kernels
//           WeftMergeCounts weft_merge_counts()   the numbers of elements
//           WeftMergePair weft_whole_pair(counts, tile, run_tiles)   the pair, all of it to be merged
// Macros:   those of weft/workgroup/extent.glsl
//           WEFT_MERGE_SORT   one memory holds runs of `run_tiles` tiles, and pairs of them are merged. Without it two
//                             memories hold one run each
#ifndef WEFT_KERNELS_MERGE_PAIR
#define WEFT_KERNELS_MERGE_PAIR

#include "weft/kernels/base/options.glsl"
#include "weft/workgroup/extent.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftSplits { WeftIndex tile[]; };
struct WeftBusyMerge {
  uint count;      // Of tiles.
  uint groups[3];  // An indirect dispatch of at least that many workgroups.
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftBusy { WeftBusyMerge merge[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftBusyTiles { uint tile[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 first;
  uvec2 second;
  uvec2 destination;
  uvec2 first_values;
  uvec2 second_values;
  uvec2 destination_values;
  WeftSplits splits;
  WeftCount first_count_on_device;
  WeftCount second_count_on_device;
  uvec2 first_count;
  uvec2 second_count;
  uint run_tiles;  // Of this merge; in merge_lists.comp of the first.
  uint options;
  // For merge_bounds.comp and weft/kernels/sort/merge_segments.glsl:
  uvec2 bounds;      // Two indices for every `bound_tiles` tiles: weft/kernels/sort/merge_sort_segments.glsl.
  uint bound_tiles;  // Tiles in each of the first runs.
  uint listed_tiles;         // The most in a list.
  WeftBusy busy;             // Of this merge; in merge_lists.comp of the first, and those of later ones follow.
  WeftBusyTiles busy_tiles;  // As above. In no particular order.
} args;

struct WeftMergeCounts {
  WeftIndex first, second;
  WeftExtent extent;  // Of all elements.
};

struct WeftMergePair {
  WeftIndex first, second;              // The indices of both runs in their memories.
  WeftIndex first_count, second_count;  // Their elements.
  WeftIndex diagonal;                   // Elements of the merged runs before the tile.
  WeftIndex staying;                    // Elements of the first run that are known to precede all of the second,
  WeftIndex moving;                     // and of the second that may precede some of the first.
};

WeftMergeCounts weft_merge_counts() {
  uvec2 first = weft_count(args.first_count, args.options, args.first_count_on_device);
  uvec2 second = uvec2(0u);
#ifndef WEFT_MERGE_SORT
  second = weft_second_count(args.second_count, args.options, args.second_count_on_device);
#endif
  return WeftMergeCounts(weft_index(first), weft_index(second), weft_extent(weft_add(first, second)));
}

WeftMergePair weft_whole_pair(WeftMergeCounts counts, uint tile, uint run_tiles) {
  WeftMergePair pair;
#ifdef WEFT_MERGE_SORT
  uint within = tile % (2u * run_tiles);
  WeftIndex run = weft_product(run_tiles, weft_tile_size());
  pair.first = weft_product(tile - within, weft_tile_size());
  WeftIndex rest = weft_subtract(counts.first, pair.first);
  pair.first_count = weft_min(rest, run);
  pair.second = weft_add(pair.first, pair.first_count);
  pair.second_count = weft_min(weft_subtract(rest, pair.first_count), run);
  pair.diagonal = weft_product(within, weft_tile_size());
#else
  pair.first = pair.second = weft_index(0u);
  pair.first_count = counts.first;
  pair.second_count = counts.second;
  pair.diagonal = weft_product(tile, weft_tile_size());
#endif
  pair.staying = weft_index(0u);
  pair.moving = pair.second_count;
  return pair;
}

#endif
