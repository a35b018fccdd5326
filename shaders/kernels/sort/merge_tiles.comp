#version 460
// Second of the two dispatches of a merge, or the only one: merges what falls into each output tile.
//
// Inputs:  two sorted runs, or with WEFT_MERGE_SORT pairs of runs; from merge_splits.comp where each tile starts in them,
//          which with WEFT_OWN_SPLITS, and without WEFT_SEGMENTS, each finds itself; with WEFT_VALUE_UNITS a value with
//          each element; one workgroup for each tile, with WEFT_SEGMENTS of those that merge_splits.comp listed.
// Tile:    workgroup size * WEFT_ROWS elements, read once into workgroup memory, merged in registers, and written
//          once, in the order in which they lie. Values go straight to their places. With WEFT_SEGMENTS only what the
//          merge has to do is read and written: merge_work.glsl.
// After:   Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/device/tickets.glsl"
#ifdef WEFT_OWN_SPLITS
#include "weft/kernels/sort/merge_split.glsl"
#endif
#include "weft/kernels/sort/merge_work.glsl"
#include "weft/thread/elements.glsl"
#include "weft/workgroup/merge.glsl"
#ifdef WEFT_VALUE_UNITS
#include "weft/thread/values.glsl"
#endif

// Where the tile starts and ends in the first run.
struct Splits {
  WeftIndex begin, end;
};

#ifdef WEFT_OWN_SPLITS
shared Splits tile_splits;

// Two subgroups search at the same time, where there are two.
Splits splits_of(WeftMergePair pair, uint tile, uint limit) {
  for (uint bound = gl_SubgroupID; bound < 2u; bound += gl_NumSubgroups) {
    if (bound == 1u) pair.diagonal = weft_add(pair.diagonal, weft_index(limit));
    WeftIndex found = weft_subgroup_find_split(pair);
    if (gl_SubgroupInvocationID == 0u && bound == 0u) tile_splits.begin = found;
    if (gl_SubgroupInvocationID == 0u && bound == 1u) tile_splits.end = found;
  }
  barrier();
  return tile_splits;
}
#else
Splits splits_of(WeftMergePair pair, uint tile, uint limit) {
  Splits splits = Splits(args.splits.tile[tile], pair.first_count);
  WeftIndex rest = weft_subtract(weft_add(pair.first_count, pair.second_count), pair.diagonal);
  if (weft_less(weft_index(limit), rest)) splits.end = args.splits.tile[tile + 1u];
  return splits;
}
#endif

// The tile's part of each run.
struct Parts {
  WeftIndex first, second;  // Where it starts in its memory.
  uint first_count;
};

Parts parts_of(WeftMergeCounts counts, uint tile, uint limit) {
  WeftMergePair pair = weft_merge_pair(counts, tile);
  Splits splits = splits_of(pair, tile, limit);
  Parts parts;
  parts.first = weft_add(pair.first, splits.begin);
  parts.second = weft_add(pair.second, weft_subtract(pair.diagonal, splits.begin));
  parts.first_count = weft_low(weft_subtract(splits.end, splits.begin));
  return parts;
}

// Where this invocation's element of row 0 lies, of a tile that starts at an element.
uvec2 row_address(uvec2 memory, WeftIndex start) {
  return weft_add(weft_element_address(memory, T_BYTES, start), gl_LocalInvocationIndex * T_BYTES);
}

// Puts the tile's elements, those of the first run before those of the second. `whole`, a literal: all are read.
void put_elements(Parts parts, WeftMergeWork work, bool whole) {
  // A row is the same number of bytes further in either run. The second run's address may lie before its memory: of it
  // only places from first_count on are read.
  uvec2 first = row_address(args.first, parts.first), second = row_address(args.second, parts.second);
  second = weft_subtract(second, weft_wide(parts.first_count * T_BYTES));
  uint words[WEFT_ROWS][T_WORDS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_tile_place(row);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
      words[row][w] = 0u;
      if (!whole && !weft_is_work(work, place)) continue;
      uint unit = uint(row) * gl_WorkGroupSize.x * T_WORDS + uint(w);
      if (place < parts.first_count) {  // Two loads under conditions: an address that is chosen takes registers.
        words[row][w] = WEFT_LOAD_UNIT(first, 0u, unit);
      } else {
        words[row][w] = WEFT_LOAD_UNIT(second, 0u, unit);
      }
    }
  }
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    T x;
    weft_from_words(words[row], x);
    weft_tile_put(weft_tile_place(row), x, 0u);
  }
}

void store_elements(WeftMergeWork work, uint tile, bool whole) {
  uvec2 destination = row_address(args.destination, weft_product(tile, weft_tile_size()));
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = weft_tile_place(row);
    if (whole || weft_is_work(work, place)) {
      weft_store_element(destination, 0u, uint(row) * gl_WorkGroupSize.x, weft_tile_get(place));
    }
  }
}

#ifdef WEFT_VALUE_UNITS
// Copies the values of the elements that weft_tile_source() names, unit by unit, WEFT_ROWS units of each invocation at
// once: a load is not started before a store that comes earlier, which may be to where it reads.
void copy_values(Parts parts, WeftMergeWork work, uint tile, bool whole) {
  WeftPlace first = weft_value_place(parts.first), second = weft_value_place(parts.second);
  WeftPlace destination = weft_value_place(weft_product(tile, weft_tile_size()));
  uvec2 first_memory = weft_block_address(args.first_values, first.block);
  uvec2 second_memory = weft_block_address(args.second_values, second.block);
  second.word -= parts.first_count * WEFT_VALUE_UNITS;
  for (uint start = 0u; start < weft_tile_size() * WEFT_VALUE_UNITS; start += weft_tile_size()) {
    uint units[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint unit = start + weft_tile_place(row), place = unit / WEFT_VALUE_UNITS;
      units[row] = 0u;
      if (!whole && !weft_is_work(work, place)) continue;
      uint source = weft_tile_source(place);
      bool of_first = source < parts.first_count;
      uint from = (of_first ? first.word : second.word) + source * WEFT_VALUE_UNITS + unit % WEFT_VALUE_UNITS;
      units[row] = weft_load_value_unit(of_first ? first_memory : second_memory, 0u, from);
    }
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint unit = start + weft_tile_place(row);
      if (!whole && !weft_is_work(work, unit / WEFT_VALUE_UNITS)) continue;
      weft_store_value_unit(args.destination_values, destination.block, destination.word + unit, units[row]);
    }
  }
}
#endif

void store_tile(Parts parts, WeftMergeWork work, uint tile, bool whole) {
  store_elements(work, tile, whole);
#ifdef WEFT_VALUE_UNITS
  copy_values(parts, work, tile, whole);
#endif
}

void main() {
  WeftMergeCounts counts = weft_merge_counts();
  uint tile = weft_group_index();
#ifdef WEFT_SEGMENTS
  if (tile >= args.busy.count) return;
  tile = args.busy_tiles.tile[tile];
#else
  if (tile >= counts.extent.tiles) return;
#endif
  uint limit = weft_tile_limit(counts.extent, tile);
  WeftMergeWork work = weft_merge_work(counts, tile, limit);
  Parts parts = parts_of(counts, tile, limit);
  WeftPlaces all = WeftPlaces(0u, weft_tile_size());
  bool whole = work.first == all || work.second == all;
  if (whole) {
    put_elements(parts, work, true);
  } else {
    put_elements(parts, work, false);
  }
  barrier();

  T merged[WEFT_ROWS];
  uint sources[WEFT_ROWS];
  WeftRuns runs = weft_runs(0u, parts.first_count, limit);
  runs.lower = min(work.merged.begin, parts.first_count);
  runs.upper = max(work.merged.end, parts.first_count);
  weft_merge_runs(runs, gl_LocalInvocationIndex * WEFT_ROWS, merged, sources);
  barrier();
  [[unroll]] for (int k = 0; k < WEFT_ROWS; ++k) {
    weft_tile_put(gl_LocalInvocationIndex * WEFT_ROWS + uint(k), merged[k], sources[k]);
  }
  barrier();

  if (whole) {
    store_tile(parts, work, tile, true);
  } else {
    store_tile(parts, work, tile, false);
  }
}
