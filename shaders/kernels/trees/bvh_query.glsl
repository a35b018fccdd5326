// Queries to a bounding volume hierarchy, an invocation each.
//
// Gives:    args            the push constants
//           WeftQuery       a box, point or ray, with the limit that was given and may since have been lowered
//           uint query_count(), uint query_index()
//           WeftQuery load_query(uint i)
//           WeftBvh load_bvh()
//           WeftBvhWalk start(bvh, query)
//           bool next_hit(walk, bvh, query, out float distance)   goes on to the next primitive that the query finds
//           void shorten(query, float distance)              to find nothing farther
// Macros:   WEFT_QUERIES    0 for boxes, 1 for points, 2 for rays
//           WEFT_TEST       optional: GLSL expression of `x`, a primitive of type K, `i`, its index, and `query`
//           those of weft/kernels/trees/primitives.glsl
#ifndef WEFT_KERNELS_TREES_BVH_QUERY
#define WEFT_KERNELS_TREES_BVH_QUERY

#include "weft/device/bvh.glsl"
#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 nodes;
  uvec2 indices;
  uvec2 bounds;
  uvec2 primitives;
  uvec2 vertices;
  uvec2 queries;
  uvec2 ends;
  uvec2 hits;
  uvec2 capacity;
  WeftCount found;
  WeftCount count_on_device;
  uvec2 count;
  WeftCount leaves_on_device;
  uvec2 leaves;
  uint lists;
  uint options;
}
args;

uint query_count() { return weft_count(args.count, args.options, args.count_on_device).x; }
uint query_index() { return weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

WeftBvh load_bvh() {
  uint leaves = weft_second_count(args.leaves, args.options, args.leaves_on_device).x;
  return WeftBvh(args.nodes, args.indices, args.bounds, leaves, 0u);
}

vec4 load_vec4(uvec2 memory, uint word) {
  float x[4];
  [[unroll]] for (int k = 0; k < 4; ++k) x[k] = uintBitsToFloat(weft_load_word(memory, 0u, word + uint(k)));
  return vec4(x[0], x[1], x[2], x[3]);
}

#if WEFT_QUERIES == 0
#define WeftQuery WeftBox
#define QUERIED(query) query
WeftQuery load_query(uint i) { return weft_load_box(weft_element_address(args.queries, 24u, i), 0u); }
WeftBvhWalk start(WeftBvh bvh, WeftQuery query) { return weft_bvh_overlaps(bvh, query); }
bool next_leaf(inout WeftBvhWalk walk, WeftBvh bvh, WeftQuery query) { return weft_bvh_next_overlap(walk, bvh, query); }
#elif WEFT_QUERIES == 1
struct WeftQuery {
  vec3 at;
  float most, given;
};
#define QUERIED(query) query.at
WeftQuery load_query(uint i) {
  vec4 x = load_vec4(weft_element_address(args.queries, 16u, i), 0u);
  return WeftQuery(x.xyz, x.w, x.w);
}
WeftBvhWalk start(WeftBvh bvh, WeftQuery query) { return weft_bvh_near(bvh, query.at); }
bool next_leaf(inout WeftBvhWalk walk, WeftBvh bvh, WeftQuery query) {
  return weft_bvh_next_near(walk, bvh, query.at, query.most);
}
bool in_range(WeftQuery query, float distance) {
  return distance >= 0.0 && distance <= query.most && distance < weft_infinity();
}
void shorten(inout WeftQuery query, float distance) { query.most = distance; }
#else
struct WeftQuery {
  WeftRay ray;
  float given;
};
#define QUERIED(query) query.ray
WeftQuery load_query(uint i) {
  uvec2 memory = weft_element_address(args.queries, 32u, i);
  vec4 from = load_vec4(memory, 0u), along = load_vec4(memory, 4u);
  return WeftQuery(weft_ray(from.xyz, along.xyz, from.w, along.w), along.w);
}
WeftBvhWalk start(WeftBvh bvh, WeftQuery query) { return weft_bvh_hits(bvh, query.ray); }
bool next_leaf(inout WeftBvhWalk walk, WeftBvh bvh, WeftQuery query) {
  return weft_bvh_next_hit(walk, bvh, query.ray);
}
bool in_range(WeftQuery query, float distance) {
  return distance >= query.ray.t_min && distance <= query.ray.t_max && distance < weft_infinity();
}
void shorten(inout WeftQuery query, float distance) { query.ray.t_max = distance; }
#endif

#ifdef WEFT_TEST
#include "weft/kernels/trees/primitives.glsl"

#if WEFT_QUERIES == 0
bool test(K x, uint i, WeftBox query) { return WEFT_TEST; }
#elif WEFT_QUERIES == 1
float test(K x, uint i, vec3 query) {
  precise float distance = WEFT_TEST;
  return distance;
}
#else
float test(K x, uint i, WeftRay query) {
  precise float distance = WEFT_TEST;
  return distance;
}
#endif

K load_primitive(uint i) { return weft_load_primitive(args.primitives, args.vertices, i); }
#endif

// Whether the query finds the primitive of the leaf that the traversal is at.
bool is_hit(WeftBvhWalk walk, WeftQuery query, out float distance) {
#if WEFT_QUERIES == 0
  distance = 0.0;
#ifdef WEFT_TEST
  return test(load_primitive(walk.primitive), walk.primitive, query);
#else
  return true;
#endif
#else
#ifdef WEFT_TEST
  distance = test(load_primitive(walk.primitive), walk.primitive, QUERIED(query));
#else
  // Rounding may put what a query just reaches beyond its limit as it was given. That is at the limit, then.
  distance = walk.distance < weft_infinity() ? min(walk.distance, query.given) : weft_infinity();
#endif
  return in_range(query, distance);
#endif
}

bool next_hit(inout WeftBvhWalk walk, WeftBvh bvh, WeftQuery query, out float distance) {
  while (next_leaf(walk, bvh, query)) {
    if (is_hit(walk, query, distance)) return true;
  }
  return false;
}

#endif
