// Nodes of a bounding volume hierarchy, as weft/lbvh.h describes them, and their boxes.
//
// Gives:    WeftBox                      .low, .high: two corners
//           WeftBox weft_unite(a, b)     the box around both, by the rules of weft/thread/box.glsl
//           uint weft_node_word(nodes, node, word)    void weft_set_node_word(nodes, node, word, value)
//           weft_node_child + k, weft_node_parent, weft_node_end   words of a node: the reference to child k (0 or 1),
//                                        the parent, and the other end of the range of leaves below
//           WeftBox weft_node_box(nodes, node, k)     void weft_set_node_box(nodes, node, k, box)   the box of child k
// Macros:   those of weft/thread/memory.glsl
// Usage:    uint left = weft_node_word(args.nodes, node, weft_node_child);
//           WeftBox box = weft_node_box(args.nodes, node, 0u);
//
// `nodes` is the address of the first node. References are described in weft/device/tree_up.glsl.
#ifndef WEFT_THREAD_BVH_NODE
#define WEFT_THREAD_BVH_NODE

#extension GL_EXT_control_flow_attributes : require

#include "weft/thread/box.glsl"
#include "weft/thread/memory.glsl"

const uint weft_node_child = 0u, weft_node_parent = 2u, weft_node_end = 3u;

struct WeftBox {
  vec3 low, high;
};

WeftBox weft_unite(WeftBox a, WeftBox b) { return WeftBox(weft_lower(a.low, b.low), weft_upper(a.high, b.high)); }

uint weft_node_word(uvec2 nodes, uint node, uint word) {
  return weft_load_word(weft_element_address(nodes, 64u, node), 0u, word);
}
void weft_set_node_word(uvec2 nodes, uint node, uint word, uint value) {
  weft_store_word(weft_element_address(nodes, 64u, node), 0u, word, value);
}

// A box of 6 words in memory.
WeftBox weft_load_box(uvec2 memory, uint word) {
  float x[6];
  [[unroll]] for (int k = 0; k < 6; ++k) x[k] = uintBitsToFloat(weft_load_word(memory, 0u, word + uint(k)));
  return WeftBox(vec3(x[0], x[1], x[2]), vec3(x[3], x[4], x[5]));
}
void weft_store_box(uvec2 memory, uint word, WeftBox box) {
  [[unroll]] for (int k = 0; k < 3; ++k) {
    weft_store_word(memory, 0u, word + uint(k), floatBitsToUint(box.low[k]));
    weft_store_word(memory, 0u, word + 3u + uint(k), floatBitsToUint(box.high[k]));
  }
}

WeftBox weft_node_box(uvec2 nodes, uint node, uint child) {
  return weft_load_box(weft_element_address(nodes, 64u, node), 4u + 6u * child);
}
void weft_set_node_box(uvec2 nodes, uint node, uint child, WeftBox box) {
  weft_store_box(weft_element_address(nodes, 64u, node), 4u + 6u * child, box);
}

#endif
