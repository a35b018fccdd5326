#version 460
// A primitive that each query to a hierarchy finds, with its distance: the nearest one, of several the one with the
// lowest index; or any one.
//
// Inputs:  `count` queries and a hierarchy of `leaves` primitives.
// Macros:  WEFT_NEAREST   the nearest
// Tile:    a query for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/bvh_query.glsl"

void main() {
  uint i = query_index(), primitive = weft_tree_none;
  if (i >= query_count()) return;
  WeftQuery query = load_query(i);
  WeftBvh bvh = load_bvh();
  WeftBvhWalk walk = start(bvh, query);
  float nearest = weft_infinity(), distance;
  while (next_hit(walk, bvh, query, distance)) {
    if (distance < nearest || walk.primitive < primitive) primitive = walk.primitive;
    nearest = distance;
#ifdef WEFT_NEAREST
    shorten(query, nearest);
#else
    break;
#endif
  }
  uvec2 hit = weft_element_address(args.hits, 8u, i);
  weft_store_word(hit, 0u, 0u, primitive);
  weft_store_word(hit, 0u, 1u, floatBitsToUint(nearest));
}
