#version 460
// Second of the two dispatches of a merge, or the only one: merges what falls into each output tile.
//
// Inputs:  two sorted runs, or with WEFT_MERGE_SORT pairs of runs; with WEFT_VALUE_UNITS a value for each element; from
//          merge_splits.comp where each tile starts in the runs, which with WEFT_OWN_SPLITS each tile finds itself;
//          one workgroup for each tile, with WEFT_SEGMENTS for each tile that merge_lists.comp listed.
// Tile:    workgroup size * WEFT_ROWS elements, read once into workgroup memory, merged in registers, and written once,
//          in order. Values are copied from memory to memory. With WEFT_SEGMENTS only the work is read and written:
//          merge_work.glsl.
// After:   Green, McColl and Bader 2012, GPU Merge Path - A GPU Merging Algorithm.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#ifdef WEFT_OWN_SPLITS
#include "weft/kernels/sort/merge_split.glsl"
#endif
#include "weft/kernels/sort/merge_work.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/workgroup/merge.glsl"

// The tile's begin and end in the first run.
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
  WeftIndex first, second;  // The index of its start in its memory.
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

// The address of this invocation's element of row 0, in a tile that starts at that element.
uvec2 row_address(uvec2 memory, WeftIndex start) {
  return weft_add(weft_element_address(memory, T_BYTES, start), gl_LocalInvocationIndex * T_BYTES);
}

// Puts the tile's elements into workgroup memory, those of the first run before those of the second. `whole`, a
// literal: all are read.
void put_elements(Parts parts, WeftMergeWork work, bool whole) {
  // A row is the same number of bytes further in either run. The second run's address may be before its memory: only
  // indices from first_count on are read there.
  uvec2 first = row_address(args.first, parts.first), second = row_address(args.second, parts.second);
  second = weft_subtract(second, weft_wide(parts.first_count * T_BYTES));
  uint words[WEFT_ROWS][T_WORDS];
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_tile_index(row);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
      words[row][w] = 0u;
      if (!whole && !weft_is_work(work, index)) continue;
      uint unit = uint(row) * gl_WorkGroupSize.x * T_WORDS + uint(w);
      if (index < parts.first_count) {  // Two conditional loads: choosing an address takes registers.
        words[row][w] = weft_load_unit(first, T_UNIT_BYTES, 0u, unit);
      } else {
        words[row][w] = weft_load_unit(second, T_UNIT_BYTES, 0u, unit);
      }
    }
  }
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    T x;
    weft_from_words(words[row], x);
    weft_tile_put(weft_tile_index(row), x, 0u);
  }
}

void store_elements(WeftMergeWork work, uint tile, bool whole) {
  uvec2 destination = row_address(args.destination, weft_product(tile, weft_tile_size()));
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint index = weft_tile_index(row);
    if (whole || weft_is_work(work, index)) {
      weft_store_element(destination, 0u, uint(row) * gl_WorkGroupSize.x, weft_tile_get(index));
    }
  }
}

#ifdef WEFT_VALUE_UNITS
WeftBlockOffset value_offset(WeftIndex value) {
  return weft_block_offset(value, WEFT_VALUE_UNITS, WEFT_VALUE_UNIT_BYTES);
}

// Copies the values of the elements that weft_tile_source() names, unit by unit. Each invocation loads WEFT_ROWS units
// before it stores any: a compiler keeps a load behind an earlier store, which may be to the same address.
void copy_values(Parts parts, WeftMergeWork work, uint tile, bool whole) {
  WeftBlockOffset first = value_offset(parts.first), second = value_offset(parts.second);
  WeftBlockOffset destination = value_offset(weft_product(tile, weft_tile_size()));
  uvec2 first_memory = weft_block_address(args.first_values, first.block);
  uvec2 second_memory = weft_block_address(args.second_values, second.block);
  second.unit -= parts.first_count * WEFT_VALUE_UNITS;
  for (uint start = 0u; start < weft_tile_size() * WEFT_VALUE_UNITS; start += weft_tile_size()) {
    uint units[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint unit = start + weft_tile_index(row), index = unit / WEFT_VALUE_UNITS;
      units[row] = 0u;
      if (!whole && !weft_is_work(work, index)) continue;
      uint source = weft_tile_source(index);
      bool of_first = source < parts.first_count;
      uint from = (of_first ? first.unit : second.unit) + source * WEFT_VALUE_UNITS + unit % WEFT_VALUE_UNITS;
      units[row] = weft_load_unit(of_first ? first_memory : second_memory, WEFT_VALUE_UNIT_BYTES, 0u, from);
    }
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint unit = start + weft_tile_index(row);
      if (!whole && !weft_is_work(work, unit / WEFT_VALUE_UNITS)) continue;
      weft_store_unit(args.destination_values, WEFT_VALUE_UNIT_BYTES, destination.block, destination.unit + unit,
                      units[row]);
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
  if (!weft_take_listed(counts, tile)) return;
  uint limit = weft_tile_limit(counts.extent, tile);
  WeftMergeWork work = weft_merge_work(counts, tile, limit);
  Parts parts = parts_of(counts, tile, limit);
  WeftTileRange all = WeftTileRange(0u, weft_tile_size());
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
