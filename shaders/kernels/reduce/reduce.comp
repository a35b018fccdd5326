#version 460
// Reduces the elements to one value for each workgroup: destination[group] = what the group's tiles come to.
//
// Inputs:  `count` elements at source, or what a transform computes them from. Launched with one workgroup it gives the
//          final result; launched with many, a second launch with one combines theirs, in order.
// Tile:    workgroup size * WEFT_ROWS packs. With WEFT_COMMUTATIVE workgroups take tiles in turn, each lane combines what
//          it loads and the lanes meet once, at the end. Without, each group has a run of consecutive tiles and each of its
//          subgroups a stretch of that, so that the order of a subgroup's rounds, rows and lanes is the order of the
//          elements; the lanes meet after each row.
// After:   Harris 2007, Optimizing Parallel Reduction in CUDA (two launches, sequential work for each thread).
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/pack.glsl"
#include "weft/workgroup/reduce.glsl"
#include "weft/workgroup/transform.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 second;
  uvec2 destination;
  WeftCount count_on_device;
  uvec2 count;
  uint groups;
  uint options;
} args;

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

#ifdef WEFT_COMMUTATIVE
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
  // The group's run of tiles in elements: where it starts, and how many there are.
  uvec2 start = weft_multiply(uvec2(group * tiles_each, 0u), weft_tile_size());
  uvec2 rest = weft_less(start, count) ? weft_subtract(count, start) : uvec2(0u);
  uint limit = weft_min(rest, uvec2(tiles_each * weft_tile_size(), 0u)).x;
  T total = weft_identity();
  for (uint round = 0u; round < tiles_each; ++round) {
    T x[WEFT_ROWS][WEFT_PACK];
    weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), group * tiles_each,
                     gl_SubgroupID * tiles_each + round, limit, weft_identity());
    total = combine_with_rows(total, x);
  }
  return weft_workgroup_reduce_parts(total);
}
#endif

void main() {
  uint group = weft_group_index();
  uvec2 count = weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device);
  T total = group_total(group, count);
  if (gl_LocalInvocationIndex == 0u) weft_store_element(args.destination, 0u, group, total);
}
