#version 460
// The neighbours of each point, by a hierarchy over all points: first their number, then lists.
//
// Inputs:  `count` elements with a point each and their hierarchy (weft/lbvh.h). To list: the offsets of all lists.
// Tile:    a leaf for each invocation. Neighbouring leaves take similar paths.
// After:   Karras 2012, Thinking Parallel, Part II: Tree Traversal on the GPU.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/bvh.glsl"
#include "weft/kernels/pairs/neighbours.glsl"

WeftKdNode point_of(uint index) { return WeftKdNode(weft_point_at(args.points, index), index); }

void traverse(WeftKdNode own, uint count, inout uvec2 next) {
  WeftBvh bvh = WeftBvh(args.nodes, args.indices, args.bounds, count, 0u);
  WeftBox around = WeftBox(low_reach(own.at), high_reach(own.at));
  WeftBvhWalk walk = weft_bvh_overlaps(bvh, around);
  while (weft_bvh_next_overlap(walk, bvh, around)) add_if_near(own, point_of(walk.primitive), next);
}

void main() {
  uint count = point_count(), leaf = point_rank();
  if (leaf == 0u) write_found(count);
  if (leaf >= count) return;
  WeftKdNode own = point_of(weft_load_word(args.indices, 0u, leaf));
  uvec2 next;
  if (start_list(own, next)) traverse(own, count, next);
  end_list(own, next);
}
