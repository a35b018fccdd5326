#version 460
// Pairs of overlapping boxes, also by WEFT_PAIR_WHERE, by a hierarchy over them. Without WEFT_FILL counts the pairs of
// each leaf with leaves after it; with WEFT_FILL stores them as two indices, the lower one first, and the number of all
// pairs.
//
// Inputs:  `count` boxes in order bits and their hierarchy (weft/lbvh.h). For WEFT_FILL `offsets`: the pairs of all
//          leaves before each, then all pairs.
// Tile:    a leaf for each invocation. Neighbouring leaves take similar paths.
// After:   Karras 2012, Thinking Parallel, Part II: Tree Traversal on the GPU.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/bvh.glsl"
#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/boxes.glsl"
#include "weft/kernels/pairs/found.glsl"
#include "weft/thread/indices.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
  uvec2 boxes;
  uvec2 nodes;
  uvec2 indices;
  uvec2 bounds;
  uvec2 offsets;  // Without WEFT_FILL the lengths to be written.
  uvec2 pairs;
  WeftCount found;
  uvec2 capacity;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint n = weft_count(args.count, args.options, args.count_on_device).x;
  uint leaf = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
#ifdef WEFT_FILL
  if (leaf == 0u) weft_write_count(args.found, args.options, weft_wide(weft_load_index(args.offsets, weft_index(n))));
#endif
  if (leaf >= n) return;
  uint own = weft_load_word(args.indices, 0u, leaf), found = 0u;
#ifdef WEFT_FILL
  WeftIndex slot = weft_load_index(args.offsets, weft_index(leaf));
  if (!weft_less(weft_wide(slot), args.capacity)) return;
#endif
  WeftBoxBits box = weft_load_box_bits(args.boxes, own);
  WeftBox query = WeftBox(weft_corner_of_bits(box.low), weft_corner_of_bits(box.high));
  WeftBvh bvh = WeftBvh(args.nodes, args.indices, args.bounds, n, 0u);
  WeftBvhWalk walk = weft_bvh_overlaps(bvh, query, leaf + 1u);
  while (weft_bvh_next_overlap(walk, bvh, query)) {
    if (weft_overlap(box, weft_load_box_bits(args.boxes, walk.primitive)) &&
        weft_is_wanted(args.primitives, args.vertices, own, walk.primitive)) {
#ifdef WEFT_FILL
      weft_store_pair(args.pairs, args.capacity, weft_add(slot, weft_index(found)), own, walk.primitive);
#endif
      ++found;
    }
  }
#ifndef WEFT_FILL
  weft_store_index(args.offsets, weft_index(leaf), weft_index(found));
#endif
}
