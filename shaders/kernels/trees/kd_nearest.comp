#version 460
// The nearest neighbours of points in a kd-tree: indices[q * WEFT_NEIGHBOURS + k] = the index of the k-th nearest point
// of query q, and its squared distance.
//
// Inputs:  `node_count` nodes; `count` elements with a query point each; a squared radius, as bits.
// Tile:    a query for each invocation.
// After:   Wald 2022, A Stack-Free Traversal Algorithm for Left-Balanced k-d Trees.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/kd_tree.glsl"
#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/kd_points.glsl"
#include "weft/kernels/trees/links.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 nodes;
  uvec2 queries;
  uvec2 indices;
  uvec2 squared_distances;
  WeftCount count_on_device;
  uvec2 count;
  WeftCount node_count_on_device;
  uvec2 node_count;
  uint squared_radius;
  uint options;
}
args;

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint nodes = weft_second_count(args.node_count, args.options, args.node_count_on_device).x;
  uint query = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (query >= count) return;
  uvec2 found[WEFT_NEIGHBOURS];
  weft_kd_nearest(WeftKdTree(args.nodes, nodes), weft_point_at(args.queries, query),
                  uintBitsToFloat(args.squared_radius), found);
  WeftLinks indices = weft_links_of(args.indices, WEFT_NEIGHBOURS, query);
  WeftLinks squared_distances = weft_links_of(args.squared_distances, WEFT_NEIGHBOURS, query);
  [[unroll]] for (int k = 0; k < WEFT_NEIGHBOURS; ++k) {
    indices.at[k] = found[k].y;
    squared_distances.at[k] = found[k].x;
  }
}
