#version 460
// All primitives that queries to a hierarchy find: first their number for each query, then a list. One kernel does
// both, so that its tests round alike.
//
// Inputs:  `count` queries and a hierarchy of `leaves` primitives. To list: the ends of the queries' hits, that is the
//          numbers' inclusive scan.
// Tile:    a query for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/bvh_query.glsl"

uvec2 load_end(uint i) {
  uvec2 end = weft_element_address(args.ends, 8u, i);
  return uvec2(weft_load_word(end, 0u, 0u), weft_load_word(end, 0u, 1u));
}

void store_end(uint i, uvec2 end) {
  uvec2 memory = weft_element_address(args.ends, 8u, i);
  weft_store_word(memory, 0u, 0u, end.x);
  weft_store_word(memory, 0u, 1u, end.y);
}

void main() {
  uint count = query_count(), i = query_index();
  bool lists = args.lists != 0u;
  if (lists && i == 0u) weft_write_count(args.found, args.options, count > 0u ? load_end(count - 1u) : uvec2(0u));
  if (i >= count) return;
  uvec2 at = lists && i > 0u ? load_end(i - 1u) : uvec2(0u);
  if (lists && !weft_less(at, args.capacity)) return;
  WeftQuery query = load_query(i);
  WeftBvh bvh = load_bvh();
  WeftBvhWalk walk = start(bvh, query);
  float distance;
  while (next_hit(walk, bvh, query, distance)) {
    if (lists) {
      weft_store_word(weft_element_address(args.hits, 4u, at), 0u, 0u, walk.primitive);
    }
    at = weft_add(at, 1u);
    if (lists && !weft_less(at, args.capacity)) return;
  }
  if (!lists) store_end(i, at);
}
