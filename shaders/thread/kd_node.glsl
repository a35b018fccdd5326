// Nodes of a kd-tree of points, as weft/kd_tree.h describes them.
//
// Gives:    WeftKdPoint                          vec2 or vec3
//           WeftKdNode                           .at: the point; .index: its index among all points
//           WeftKdNode weft_kd_node(nodes, i)    void weft_set_kd_node(nodes, i, node)
//           float weft_kd_coordinate(point, axis)
//           uint weft_kd_axis(i)                 the axis that node i splits
//           float weft_squared_distance(a, b)    of two points: a sum of products from left to right, not contracted
// Macros:   WEFT_DIMENSIONS   2 or 3
//           those of weft/thread/memory.glsl
// Usage:    WeftKdNode root = weft_kd_node(args.nodes, 0u);
//
// `nodes` is the address of the first node: a multiple of 16 in 3 dimensions, of 4 in 2.
#ifndef WEFT_THREAD_KD_NODE
#define WEFT_THREAD_KD_NODE

#include "weft/thread/memory.glsl"

#if WEFT_DIMENSIONS == 2
#define WeftKdPoint vec2
#else
#define WeftKdPoint vec3
#endif

struct WeftKdNode {
  WeftKdPoint at;
  uint index;
};

#if WEFT_DIMENSIONS == 2
WeftKdNode weft_kd_node(uvec2 nodes, uint i) {
  uvec2 node = weft_element_address(nodes, 12u, i);
  vec2 at = uintBitsToFloat(uvec2(weft_load_word(node, 0u, 0u), weft_load_word(node, 0u, 1u)));
  return WeftKdNode(at, weft_load_word(node, 0u, 2u));
}
void weft_set_kd_node(uvec2 nodes, uint i, WeftKdNode value) {
  uvec2 node = weft_element_address(nodes, 12u, i);
  weft_store_word(node, 0u, 0u, floatBitsToUint(value.at.x));
  weft_store_word(node, 0u, 1u, floatBitsToUint(value.at.y));
  weft_store_word(node, 0u, 2u, value.index);
}

float weft_kd_coordinate(vec2 point, uint axis) { return axis == 0u ? point.x : point.y; }

float weft_squared_distance(vec2 a, vec2 b) {
  precise vec2 d = a - b;
  precise float sum = d.x * d.x + d.y * d.y;
  return sum;
}
#else
WeftKdNode weft_kd_node(uvec2 nodes, uint i) {
  uvec4 words = weft_load_vector(weft_element_address(nodes, 16u, i), 0u, 0u);
  return WeftKdNode(uintBitsToFloat(words.xyz), words.w);
}
void weft_set_kd_node(uvec2 nodes, uint i, WeftKdNode value) {
  weft_store_vector(weft_element_address(nodes, 16u, i), 0u, 0u, uvec4(floatBitsToUint(value.at), value.index));
}

float weft_kd_coordinate(vec3 point, uint axis) { return axis == 0u ? point.x : axis == 1u ? point.y : point.z; }

float weft_squared_distance(vec3 a, vec3 b) {
  precise vec3 d = a - b;
  precise float sum = d.x * d.x + d.y * d.y + d.z * d.z;
  return sum;
}
#endif

uint weft_kd_axis(uint i) { return uint(findMSB(i + 1u)) % WEFT_DIMENSIONS; }

#endif
