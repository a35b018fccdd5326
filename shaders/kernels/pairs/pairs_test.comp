#version 460
// Tests candidates for overlap, and by WEFT_PAIR_WHERE. Without WEFT_FILL counts the pairs of each workgroup; with
// WEFT_FILL stores them as two indices, the lower one first, and the number of all pairs.
//
// Inputs:  boxes in order bits. With WEFT_EVERY_PAIR every two are a candidate. Without it, sorted boxes and the index
//          of each, and `offsets`: the number of candidates of all boxes before each, then that of all. Candidates of
//          a box are those after it, or with WEFT_CELLS those of its ranges. For WEFT_FILL the pairs that each
//          workgroup counted.
// Tile:    workgroup size * WEFT_ROWS candidates. Each workgroup takes consecutive tiles, so that candidates are spread
//          evenly whatever the ranges are, and pairs are in the order of candidates.
// After:   Liu et al. 2010, Real-time Collision Culling of a Million Bodies on Graphics Processing Units.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/workgroup/scan_counts.glsl"

#define T WeftIndex
#define WEFT_OP(name) weft_pairs_##name
#define WEFT_COMBINE weft_add(a, b)
#define WEFT_IDENTITY weft_index(0u)
#include "weft/thread/count.glsl"
#include "weft/thread/operator.glsl"

#include "weft/workgroup/reduce.glsl"
#undef T
#undef WEFT_OP

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/boxes.glsl"
#include "weft/kernels/pairs/cells.glsl"
#include "weft/kernels/pairs/found.glsl"
#include "weft/workgroup/heads_at_offsets.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
  uvec2 boxes;
  uvec2 indices;
  uvec2 ranges;
  uvec2 offsets;
  uvec2 group_pairs;
  uvec2 pairs;
  WeftCount found;
  uvec2 capacity;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

#ifdef WEFT_EVERY_PAIR
// Candidate d * n + i joins box i and the box d + 1 after it, cyclically. With d below n / 2 that is each pair once;
// for even n the last d has half the boxes.
WeftIndex number_of_candidates(uint n) { return n % 2u == 0u ? n / 2u * (n - 1u) : n * ((n - 1u) / 2u); }

void find_candidates(uint n, WeftIndex start, uint limit, out uvec2 boxes[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint k = start + weft_pack_index(gl_SubgroupID, row), d = k / n, first = k - d * n, second = first + d + 1u;
    boxes[row] = uvec2(first, second < n ? second : second - n);
  }
}

uint index_of(uint box) { return box; }
#else
WeftIndex number_of_candidates(uint n) { return weft_load_index(args.offsets, weft_index(n)); }

uvec2 candidate_of(WeftIndex candidate, WeftIndex box) {
  uint i = weft_low(box), k = weft_low(weft_subtract(candidate, weft_load_index(args.offsets, box)));
#ifdef WEFT_CELLS
  return uvec2(i, weft_candidate_box(args.ranges, i, k));
#else
  return uvec2(i, i + 1u + k);
#endif
}

void find_candidates(uint n, WeftIndex start, uint limit, out uvec2 boxes[WEFT_ROWS]) {
  uint masks[WEFT_ROWS], before[WEFT_ROWS], heads;
  WeftOffsetRange offsets = weft_head_rows_from(args.offsets, weft_index(n + 1u), start, limit, masks);
  before = masks;
  weft_count_workgroup_scan_rows(before, heads);
  bool distinct = weft_subtract(offsets.end, offsets.first) == weft_index(heads);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint element = weft_pack_index(gl_SubgroupID, row);
    WeftIndex candidate = weft_add(start, weft_index(element));
    boxes[row] = uvec2(0u);
    if (element < limit) {
      boxes[row] =
          candidate_of(candidate, weft_run_of(args.offsets, offsets, distinct, masks[row], before[row], candidate, 0u));
    }
  }
}

uint index_of(uint box) { return weft_load_word(args.indices, 0u, box); }
#endif

void find_pairs(uvec2 boxes[WEFT_ROWS], uint limit, out uint found[WEFT_ROWS]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    found[row] = 0u;
    if (weft_pack_index(gl_SubgroupID, row) < limit) {
      WeftBoxBits a = weft_load_box_bits(args.boxes, boxes[row].x), b = weft_load_box_bits(args.boxes, boxes[row].y);
      found[row] = uint(weft_overlap(a, b) &&
                        weft_is_wanted(args.primitives, args.vertices, index_of(boxes[row].x), index_of(boxes[row].y)));
    }
  }
}

// The candidates of this workgroup: whole tiles, the last one apart.
WeftOffsetRange candidates_of_group(WeftIndex total) {
  uint rest;
  uvec2 tiles = weft_divide(weft_add(weft_wide(total), weft_tile_size() - 1u), weft_tile_size(), rest);
  uvec2 tiles_each = weft_divide(weft_add(tiles, gl_NumWorkGroups.x - 1u), gl_NumWorkGroups.x, rest);
  uvec2 each = weft_multiply(tiles_each, weft_tile_size()), first = weft_multiply(each, gl_WorkGroupID.x);
  WeftIndex end = weft_index(weft_min(weft_add(first, each), weft_wide(total)));
  return WeftOffsetRange(weft_index(weft_min(first, weft_wide(total))), end);
}

#ifdef WEFT_FILL
// The pairs of all workgroups before this one. The first workgroup also writes the number of all pairs.
WeftIndex pairs_before() {
  uint groups = gl_WorkGroupID.x == 0u ? gl_NumWorkGroups.x : gl_WorkGroupID.x;
  WeftIndex sum = weft_index(0u);
  for (uint group = gl_LocalInvocationIndex; group < groups; group += gl_WorkGroupSize.x) {
    sum = weft_add(sum, weft_load_index(args.group_pairs, weft_index(group)));
  }
  sum = subgroupBroadcastFirst(weft_pairs_workgroup_reduce(sum));
  if (gl_WorkGroupID.x > 0u) return sum;
  if (gl_LocalInvocationIndex == 0u) weft_write_count(args.found, args.options, weft_wide(sum));
  return weft_index(0u);
}

bool is_full(WeftIndex slot) { return !weft_less(weft_wide(slot), args.capacity); }

// Returns their number.
uint store_pairs(WeftIndex slot, uvec2 boxes[WEFT_ROWS], uint found[WEFT_ROWS]) {
  uint before[WEFT_ROWS] = found, total;
  weft_count_workgroup_scan_rows(before, total);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    if (found[row] > 0u) {
      weft_store_pair(args.pairs, args.capacity, weft_add(slot, weft_index(before[row])), index_of(boxes[row].x),
                      index_of(boxes[row].y));
    }
  }
  return total;
}
#else
bool is_full(WeftIndex counted) { return false; }
#endif

void main() {
  uint n = subgroupBroadcastFirst(weft_count(args.count, args.options, args.count_on_device).x);
  WeftOffsetRange candidates = candidates_of_group(subgroupBroadcastFirst(number_of_candidates(n)));
#ifdef WEFT_FILL
  WeftIndex sum = pairs_before();
#else
  WeftIndex sum = weft_index(0u);
#endif
  WeftIndex start = candidates.first;
  while (weft_less(start, candidates.end) && !is_full(sum)) {
    uint limit = weft_low(weft_min(weft_subtract(candidates.end, start), weft_index(weft_tile_size())));
    uvec2 boxes[WEFT_ROWS];
    uint found[WEFT_ROWS];
    find_candidates(n, start, limit, boxes);
    find_pairs(boxes, limit, found);
#ifdef WEFT_FILL
    sum = subgroupBroadcastFirst(weft_add(sum, weft_index(store_pairs(sum, boxes, found))));
#else
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) sum = weft_add(sum, weft_index(found[row]));
#endif
    start = weft_add(start, weft_index(weft_tile_size()));
  }
#ifndef WEFT_FILL
  sum = weft_pairs_workgroup_reduce(sum);
  if (gl_LocalInvocationIndex == 0u) weft_store_index(args.group_pairs, weft_index(gl_WorkGroupID.x), sum);
#endif
}
