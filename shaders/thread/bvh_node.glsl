// Nodes of a bounding volume hierarchy, as weft/lbvh.h describes them, and their boxes.
//
// Gives:    WeftBox                      .low, .high: two corners
//           WeftBox weft_unite(a, b)     the box around both, by the rules of weft/thread/box.glsl
//           bool weft_overlap(a, b)      whether boxes overlap: on each axis, neither begins above the other's end.
//                                        Touching is enough. A box with a NaN overlaps nothing
//           uint weft_node_word(nodes, node, word)    void weft_set_node_word(nodes, node, word, value)
//           weft_node_child + k, weft_node_parent, weft_node_end   words of a node: the reference to child k (0 or 1),
//                                        the parent, and the other end of the range of leaves below
//           WeftBox weft_node_box(nodes, node, k)     void weft_set_node_box(nodes, node, k, box)   the box of child k
//           uvec4 weft_node_links(nodes, node)        those four words
//           void weft_node_boxes(nodes, node, out a, out b)   void weft_set_node_boxes(nodes, node, a, b)   both boxes
//           void weft_set_node(nodes, node, links, a, b)      everything
// Macros:   those of weft/thread/memory.glsl
// Usage:    uint left = weft_node_word(args.nodes, node, weft_node_child);
//           WeftBox box = weft_node_box(args.nodes, node, 0u);
//
// `nodes` is the address of the first node, a multiple of 16. References are described in weft/device/tree_up.glsl.
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

bool weft_overlap(WeftBox a, WeftBox b) {
  return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

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

// Child 0 has words 4 to 9 of a node, child 1 words 10 to 15: a vector and two more words each.
WeftBox weft_node_box(uvec2 nodes, uint node, uint child) {
  uvec2 memory = weft_element_address(nodes, 64u, node);
  if (child == 0u) {
    vec4 x = uintBitsToFloat(weft_load_vector(memory, 0u, 1u));
    return WeftBox(x.xyz,
                   vec3(x.w, uintBitsToFloat(uvec2(weft_load_word(memory, 0u, 8u), weft_load_word(memory, 0u, 9u)))));
  }
  vec4 x = uintBitsToFloat(weft_load_vector(memory, 0u, 3u));
  return WeftBox(vec3(uintBitsToFloat(uvec2(weft_load_word(memory, 0u, 10u), weft_load_word(memory, 0u, 11u))), x.x),
                 x.yzw);
}
void weft_set_node_box(uvec2 nodes, uint node, uint child, WeftBox box) {
  uvec2 memory = weft_element_address(nodes, 64u, node);
  uvec3 low = floatBitsToUint(box.low), high = floatBitsToUint(box.high);
  if (child == 0u) {
    weft_store_vector(memory, 0u, 1u, uvec4(low, high.x));
    weft_store_word(memory, 0u, 8u, high.y);
    weft_store_word(memory, 0u, 9u, high.z);
  } else {
    weft_store_word(memory, 0u, 10u, low.x);
    weft_store_word(memory, 0u, 11u, low.y);
    weft_store_vector(memory, 0u, 3u, uvec4(low.z, high));
  }
}

uvec4 weft_node_links(uvec2 nodes, uint node) {
  return weft_load_vector(weft_element_address(nodes, 64u, node), 0u, 0u);
}
void weft_node_boxes(uvec2 nodes, uint node, out WeftBox a, out WeftBox b) {
  uvec2 memory = weft_element_address(nodes, 64u, node);
  vec4 x = uintBitsToFloat(weft_load_vector(memory, 0u, 1u)), y = uintBitsToFloat(weft_load_vector(memory, 0u, 2u)),
       z = uintBitsToFloat(weft_load_vector(memory, 0u, 3u));
  a = WeftBox(x.xyz, vec3(x.w, y.xy));
  b = WeftBox(vec3(y.zw, z.x), z.yzw);
}
void weft_set_node_boxes(uvec2 nodes, uint node, WeftBox a, WeftBox b) {
  uvec2 memory = weft_element_address(nodes, 64u, node);
  weft_store_vector(memory, 0u, 1u, floatBitsToUint(vec4(a.low, a.high.x)));
  weft_store_vector(memory, 0u, 2u, floatBitsToUint(vec4(a.high.yz, b.low.xy)));
  weft_store_vector(memory, 0u, 3u, floatBitsToUint(vec4(b.low.z, b.high)));
}
void weft_set_node(uvec2 nodes, uint node, uvec4 links, WeftBox a, WeftBox b) {
  weft_store_vector(weft_element_address(nodes, 64u, node), 0u, 0u, links);
  weft_set_node_boxes(nodes, node, a, b);
}

#endif
