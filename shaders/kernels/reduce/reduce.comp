#version 460
// Reduction to one value for each workgroup: destination[group] = the total of the group's tiles.
//
// Inputs:  `count` elements at source, or the inputs of a transform. Launched with one workgroup it gives the final
//          result; launched with many, a second launch with one combines their totals, in order.
// Tile:    workgroup size * WEFT_ROWS packs. With WEFT_COMMUTATIVE each workgroup takes every groups-th tile; each lane
//          combines the elements it loads, and lanes are combined once, at the end. Without it, each workgroup has
//          consecutive tiles, and each of its subgroups consecutive elements of those, so that rounds, rows and lanes
//          of a subgroup are in the order of the elements; lanes are combined after each row. With both macros,
//          WEFT_COMMUTATIVE and WEFT_CONSECUTIVE, the elements are consecutive and the lanes are combined once.
// After:   Harris 2007, Optimizing Parallel Reduction in CUDA (two launches, sequential work for each thread).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/reduce/arguments.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/reduce.glsl"
#include "weft/workgroup/transform.glsl"

T combine_with_rows(T total, T x[WEFT_ROWS][WEFT_PACK]) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    T part = weft_pack_reduce(x[row]);
#ifndef WEFT_COMMUTATIVE
    part = weft_subgroup_reduce(part);
#endif
    total = weft_combine(total, part);
  }
  return total;
}

#if defined(WEFT_COMMUTATIVE) && !defined(WEFT_CONSECUTIVE)
T group_total(uint group, uvec2 count) {
  WeftExtent extent = weft_extent(count);
  T total = weft_identity();
  for (uint tile = group; tile < extent.tiles; tile += args.groups) {
    T x[WEFT_ROWS][WEFT_PACK];
    weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID,
                     weft_tile_limit(extent, tile), weft_identity());
    total = combine_with_rows(total, x);
  }
  return weft_workgroup_reduce(total);
}
#else
T group_total(uint group, uvec2 count) {
  uint tiles_each = (weft_extent(count).tiles + args.groups - 1u) / args.groups;
  uint limit = weft_limit_of_tiles(count, group * tiles_each, tiles_each);
  T total = weft_identity();
  for (uint round = 0u; round < tiles_each; ++round) {
    T x[WEFT_ROWS][WEFT_PACK];
    weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), group * tiles_each,
                     gl_SubgroupID * tiles_each + round, limit, weft_identity());
    total = combine_with_rows(total, x);
  }
#ifdef WEFT_COMMUTATIVE
  return weft_workgroup_reduce(total);
#else
  return weft_workgroup_reduce_parts(total);
#endif
}
#endif

void main() {
  uint group = weft_group_index();
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  T total = group_total(group, count);
#ifdef WEFT_NOTHING_DIFFERS
  if (count == uvec2(0u)) total = weft_nothing();
#endif
  if (gl_LocalInvocationIndex == 0u) weft_store_element(args.destination, 0u, group, total);
}
