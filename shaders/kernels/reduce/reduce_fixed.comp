#version 460
// Reduction of each tile to one value, along a tree that is the same on every device: neighbours are combined in pairs,
// then neighbouring pairs, and so on, with the identity past the last element. destination[tile] = the tile's total.
//
// Inputs:  `count` elements at source, in `groups` tiles; launched again over the results until one is left.
// Tile:    workgroup size * WEFT_ROWS packs, each a power of two. Packs, lanes, rows and subgroups are in the order of
//          the elements, so the trees over each make one tree.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/reduce/arguments.glsl"
#include "weft/subgroup/reduce_scan.glsl"
#include "weft/workgroup/subgroups.glsl"
#include "weft/workgroup/transform.glsl"

shared T weft_parts[WEFT_MAX_SUBGROUPS];

T weft_pack_tree(T x[WEFT_PACK]) {
  [[unroll]] for (int step = 1; step < WEFT_PACK; step *= 2) {
    [[unroll]] for (int k = 0; k + step < WEFT_PACK; k += 2 * step) x[k] = weft_combine(x[k], x[k + step]);
  }
  return x[0];
}

void main() {
  uint tile = weft_group_index();
  if (tile >= args.groups) return;
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftExtent extent = weft_extent(count);

  T x[WEFT_ROWS][WEFT_PACK], parts[WEFT_ROWS];
  weft_load_source(x, args.source, args.second, weft_has(args.options, weft_source_vectors), tile, gl_SubgroupID,
                   weft_tile_limit(extent, tile), weft_identity());
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) parts[row] = weft_subgroup_reduce(weft_pack_tree(x[row]));
  [[unroll]] for (int step = 1; step < WEFT_ROWS; step *= 2) {
    [[unroll]] for (int row = 0; row + step < WEFT_ROWS; row += 2 * step) {
      parts[row] = weft_combine(parts[row], parts[row + step]);
    }
  }

  if (gl_SubgroupInvocationID == 0u) weft_parts[gl_SubgroupID] = parts[0];
  barrier();
  for (uint step = 1u; step < gl_NumSubgroups; step *= 2u) {
    uint first = 2u * step * gl_LocalInvocationIndex;
    if (first + step < gl_NumSubgroups) weft_parts[first] = weft_combine(weft_parts[first], weft_parts[first + step]);
    barrier();
  }
#ifdef WEFT_NOTHING_DIFFERS
  if (count == uvec2(0u) && gl_LocalInvocationIndex == 0u) weft_parts[0] = weft_nothing();
#endif
  if (gl_LocalInvocationIndex == 0u) weft_store_element(args.destination, 0u, tile, weft_parts[0]);
}
