// Which two sorted runs an output tile is merged from; shared by the kernels that split and merge them.
//
// Gives:    args            the push constants of those kernels
//           WeftMergeCounts weft_merge_counts()   how many elements there are
//           WeftMergePair weft_merge_pair(counts, tile)
//           WeftPlaces weft_merged_places(counts, tile, limit, run_tiles)
//                   with WEFT_SEGMENTS, where in the tile the merge of runs of that length moves elements
//           WeftPlaces weft_settled_places(counts, tile, limit)
//                   and where those lie that no merge moves: of segments within one of the first runs
// Macros:   those of weft/workgroup/extent.glsl
//           WEFT_MERGE_SORT   one memory holds runs of `run_tiles` tiles, and pairs of them are merged; without it two
//                             memories hold one run each
//           WEFT_SEGMENTS     with it: of two runs only the segment is merged that the end of the first and the start of the
//                             second share
#ifndef WEFT_KERNELS_MERGE_PAIR
#define WEFT_KERNELS_MERGE_PAIR

#include "weft/kernels/base/options.glsl"
#ifdef WEFT_SEGMENTS
#include "weft/thread/indices.glsl"
#endif
#include "weft/workgroup/extent.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftSplits { WeftIndex tile[]; };
#ifdef WEFT_SEGMENTS
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftBusy {
  uint count;      // Of tiles.
  uint groups[3];  // That many workgroups, or some more.
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftBusyTiles { uint tile[]; };
#endif

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
  uint run_tiles;
  uint options;
#ifdef WEFT_SEGMENTS
  uvec2 bounds;      // Two positions for each `bound_tiles` tiles: merge_sort_tiles.comp.
  uint bound_tiles;  // The first runs have as many.
  uint unused;
  WeftBusy busy;             // Of this merge alone, all zero before it.
  WeftBusyTiles busy_tiles;  // In no particular order.
#endif
} args;

struct WeftMergeCounts {
  WeftIndex first, second;
  WeftExtent extent;  // of all of them
};

struct WeftMergePair {
  WeftIndex first, second;              // Where the runs start in their memories.
  WeftIndex first_count, second_count;  // Their elements.
  WeftIndex diagonal;                   // How many elements of the merged runs come before the tile.
  WeftIndex staying;                    // Elements of the first run that come before all of the second,
  WeftIndex moving;                     // and of the second that may come before some of the first: of the same segment.
};

struct WeftPlaces {
  uint begin, end;  // Of a tile.
};

WeftMergeCounts weft_merge_counts() {
  uvec2 first =
      weft_count(args.first_count, weft_has(args.options, weft_count_on_device), args.first_count_on_device);
  uvec2 second = uvec2(0u);
#ifndef WEFT_MERGE_SORT
  second = weft_count(args.second_count, weft_has(args.options, weft_second_count_on_device),
                      args.second_count_on_device);
#endif
  return WeftMergeCounts(weft_index(first), weft_index(second), weft_extent(weft_add(first, second)));
}

#ifdef WEFT_MERGE_SORT
WeftMergePair weft_run_pair(WeftMergeCounts counts, uint tile, uint run_tiles) {
  WeftMergePair pair;
  uint within = tile % (2u * run_tiles);
  WeftIndex run = weft_product(run_tiles, weft_tile_size());
  pair.first = weft_product(tile - within, weft_tile_size());
  WeftIndex rest = weft_subtract(counts.first, pair.first);
  pair.first_count = weft_min(rest, run);
  pair.second = weft_add(pair.first, pair.first_count);
  pair.second_count = weft_min(weft_subtract(rest, pair.first_count), run);
  pair.diagonal = weft_product(within, weft_tile_size());
  pair.staying = weft_index(0u);
  pair.moving = pair.second_count;
#ifdef WEFT_SEGMENTS
  if (pair.second_count != weft_index(0u)) {
    WeftIndex bound = weft_product((tile - within + run_tiles) / args.bound_tiles, 2u);
    WeftIndex lower = weft_load_index(args.bounds, bound);
    WeftIndex upper = weft_load_index(args.bounds, weft_add(bound, weft_index(1u)));
    if (weft_less(pair.first, lower)) pair.staying = weft_subtract(lower, pair.first);
    pair.moving = weft_min(weft_subtract(upper, pair.second), pair.second_count);
  }
#endif
  return pair;
}
#endif

WeftMergePair weft_merge_pair(WeftMergeCounts counts, uint tile) {
#ifdef WEFT_MERGE_SORT
  return weft_run_pair(counts, tile, args.run_tiles);
#else
  return WeftMergePair(weft_index(0u), weft_index(0u), counts.first, counts.second,
                       weft_product(tile, weft_tile_size()), weft_index(0u), counts.second);
#endif
}

#ifdef WEFT_SEGMENTS
uint weft_places_until(WeftIndex element, WeftIndex start, uint limit) {
  if (weft_less(element, start)) return 0u;
  return weft_low(weft_min(weft_subtract(element, start), weft_index(limit)));
}

WeftPlaces weft_merged_places(WeftMergeCounts counts, uint tile, uint limit, uint run_tiles) {
  WeftMergePair pair = weft_run_pair(counts, tile, run_tiles);
  if (pair.moving == weft_index(0u)) return WeftPlaces(0u, 0u);
  return WeftPlaces(weft_places_until(pair.staying, pair.diagonal, limit),
                    weft_places_until(weft_add(pair.first_count, pair.moving), pair.diagonal, limit));
}

WeftPlaces weft_settled_places(WeftMergeCounts counts, uint tile, uint limit) {
  uint run = tile / args.bound_tiles;
  WeftIndex start = weft_product(tile, weft_tile_size()), bound = weft_product(run, 2u);
  WeftPlaces settled = WeftPlaces(0u, limit);
  if (run > 0u) {
    settled.begin = weft_places_until(weft_load_index(args.bounds, weft_add(bound, weft_index(1u))), start, limit);
  }
  if ((run + 1u) * args.bound_tiles < counts.extent.tiles) {
    settled.end = weft_places_until(weft_load_index(args.bounds, weft_add(bound, weft_index(2u))), start, limit);
  }
  return settled;
}
#endif

#endif
