// Lists of the points within a radius of each point. Kernels run twice: first they count the entries of each list, then
// they store them. One kernel does both, so that its tests round alike.
//
// Gives:    args              the push constants
//           uint point_count(), uint point_rank()    the rank of an invocation's point in the order of cells or leaves
//           bool start_list(WeftKdNode own, out uvec2 next)   the index of the first entry of a point's list; when
//                             counting, 0. False if nothing is to be done: the list starts beyond the capacity, or the
//                             point is not finite
//           void add_if_near(own, other, next)       adds another point to the list, if it is a neighbour
//           void end_list(own, next)                 when counting, stores the length of the list
//           vec3 low_reach(point), vec3 high_reach(point)   the box around a point's neighbours, also with rounding
// Macros:   WEFT_WHERE        optional: GLSL expression of `a` and `b`, elements of type K, and `i` and `j`, their
//                             indices
//           those of weft/kernels/trees/kd_points.glsl, for 3 dimensions
#ifndef WEFT_KERNELS_PAIRS_NEIGHBOURS
#define WEFT_KERNELS_PAIRS_NEIGHBOURS

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/kd_points.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 points;
  uvec2 keys;    // By a grid: of cells, ascending,
  uvec2 sorted;  // and the points in the same order.
  uvec2 nodes;   // Otherwise a hierarchy.
  uvec2 indices;
  uvec2 bounds;
  uvec2 offsets;  // When counting, that of the second one.
  uvec2 neighbours;
  uvec2 capacity;
  WeftCount found;
  WeftCount count_on_device;
  uvec2 count;
  uint squared_radius;
  uint reach;
  uint per_unit;
  uint lists;
  uint options;
}
args;

uint point_count() { return weft_count(args.count, args.options, args.count_on_device).x; }
uint point_rank() { return weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

vec3 low_reach(vec3 point) { return point - uintBitsToFloat(args.reach); }
vec3 high_reach(vec3 point) { return point + uintBitsToFloat(args.reach); }

uvec2 load_offset(uint i) {
  uvec2 offset = weft_element_address(args.offsets, 8u, i);
  return uvec2(weft_load_word(offset, 0u, 0u), weft_load_word(offset, 0u, 1u));
}

void write_found(uint count) {
  if (args.lists != 0u) weft_write_count(args.found, args.options, load_offset(count));
}

bool start_list(WeftKdNode own, out uvec2 next) {
  next = args.lists != 0u ? load_offset(own.index) : uvec2(0u);
  bool has_room = args.lists == 0u || weft_less(next, args.capacity);
  return has_room && all(lessThan(abs(own.at), vec3(uintBitsToFloat(0x7F800000u))));
}

void end_list(WeftKdNode own, uvec2 next) {
  if (args.lists != 0u) return;
  uvec2 length = weft_element_address(args.offsets, 8u, own.index);
  weft_store_word(length, 0u, 0u, next.x);
  weft_store_word(length, 0u, 1u, next.y);
}

#ifdef WEFT_WHERE
bool where(K a, K b, uint i, uint j) {
  precise bool result = WEFT_WHERE;
  return result;
}

K load_element(uint i) { return weft_key_load_from(args.points, weft_block_offset(i, K_WORDS, K_BYTES / K_WORDS), 0u); }

bool is_wanted(uint i, uint j) { return where(load_element(i), load_element(j), i, j); }
#else
bool is_wanted(uint i, uint j) { return true; }
#endif

void add_if_near(WeftKdNode own, WeftKdNode other, inout uvec2 next) {
  bool is_near = weft_squared_distance(own.at, other.at) <= uintBitsToFloat(args.squared_radius);
  if (!is_near || other.index == own.index || !is_wanted(own.index, other.index)) return;
  if (args.lists != 0u && weft_less(next, args.capacity)) {
    weft_store_word(weft_element_address(args.neighbours, 4u, next), 0u, 0u, other.index);
  }
  next = weft_add(next, 1u);
}

#endif
