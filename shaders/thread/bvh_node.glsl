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
//           uvec4 weft_node_links(nodes, node)        void weft_set_node_links(nodes, node, links)   those four words
//           void weft_node_boxes(nodes, node, out a, out b)   void weft_set_node_boxes(nodes, node, a, b)   both boxes
//           void weft_set_node(nodes, node, links, a, b)      everything
// Macros:   WEFT_NODE_COHERENCE   optional: `coherent` where invocations load boxes that others stored
//           those of weft/thread/memory.glsl
// Usage:    uint left = weft_node_word(args.nodes, node, weft_node_child);
//           WeftBox box = weft_node_box(args.nodes, node, 0u);
//
// `nodes` is the address of the first node, a multiple of 16. References are described in weft/device/tree_up.glsl.
#ifndef WEFT_THREAD_BVH_NODE
#define WEFT_THREAD_BVH_NODE

#extension GL_EXT_control_flow_attributes : require

#include "weft/thread/box.glsl"
#include "weft/thread/memory.glsl"

#ifndef WEFT_NODE_COHERENCE
#define WEFT_NODE_COHERENCE
#endif

layout(buffer_reference, scalar, buffer_reference_align = 4) WEFT_NODE_COHERENCE buffer WeftNodeWords { uint word[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) WEFT_NODE_COHERENCE buffer WeftNode { uvec4 vector[]; };

const uint weft_node_child = 0u, weft_node_parent = 2u, weft_node_end = 3u;

struct WeftBox {
  vec3 low, high;
};

WeftBox weft_unite(WeftBox a, WeftBox b) { return WeftBox(weft_lower(a.low, b.low), weft_upper(a.high, b.high)); }

bool weft_overlap(WeftBox a, WeftBox b) {
  return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

uvec2 weft_node_address(uvec2 nodes, uint node) { return weft_element_address(nodes, 64u, node); }

uint weft_node_word(uvec2 nodes, uint node, uint word) {
  return WeftNodeWords(weft_node_address(nodes, node)).word[word];
}
void weft_set_node_word(uvec2 nodes, uint node, uint word, uint value) {
  WeftNodeWords(weft_node_address(nodes, node)).word[word] = value;
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
  uvec2 memory = weft_node_address(nodes, node);
  if (child == 0u) {
    vec4 x = uintBitsToFloat(WeftNode(memory).vector[1u]);
    return WeftBox(x.xyz,
                   vec3(x.w, uintBitsToFloat(uvec2(WeftNodeWords(memory).word[8u], WeftNodeWords(memory).word[9u]))));
  }
  vec4 x = uintBitsToFloat(WeftNode(memory).vector[3u]);
  return WeftBox(vec3(uintBitsToFloat(uvec2(WeftNodeWords(memory).word[10u], WeftNodeWords(memory).word[11u])), x.x),
                 x.yzw);
}
void weft_set_node_box(uvec2 nodes, uint node, uint child, WeftBox box) {
  uvec2 memory = weft_node_address(nodes, node);
  uvec3 low = floatBitsToUint(box.low), high = floatBitsToUint(box.high);
  if (child == 0u) {
    WeftNode(memory).vector[1u] = uvec4(low, high.x);
    WeftNodeWords(memory).word[8u] = high.y;
    WeftNodeWords(memory).word[9u] = high.z;
  } else {
    WeftNodeWords(memory).word[10u] = low.x;
    WeftNodeWords(memory).word[11u] = low.y;
    WeftNode(memory).vector[3u] = uvec4(low.z, high);
  }
}

uvec4 weft_node_links(uvec2 nodes, uint node) { return WeftNode(weft_node_address(nodes, node)).vector[0]; }
void weft_set_node_links(uvec2 nodes, uint node, uvec4 links) {
  WeftNode(weft_node_address(nodes, node)).vector[0] = links;
}
void weft_node_boxes(uvec2 nodes, uint node, out WeftBox a, out WeftBox b) {
  uvec2 memory = weft_node_address(nodes, node);
  vec4 x = uintBitsToFloat(WeftNode(memory).vector[1u]), y = uintBitsToFloat(WeftNode(memory).vector[2u]),
       z = uintBitsToFloat(WeftNode(memory).vector[3u]);
  a = WeftBox(x.xyz, vec3(x.w, y.xy));
  b = WeftBox(vec3(y.zw, z.x), z.yzw);
}
void weft_set_node_boxes(uvec2 nodes, uint node, WeftBox a, WeftBox b) {
  uvec2 memory = weft_node_address(nodes, node);
  WeftNode(memory).vector[1u] = floatBitsToUint(vec4(a.low, a.high.x));
  WeftNode(memory).vector[2u] = floatBitsToUint(vec4(a.high.yz, b.low.xy));
  WeftNode(memory).vector[3u] = floatBitsToUint(vec4(b.low.z, b.high));
}
void weft_set_node(uvec2 nodes, uint node, uvec4 links, WeftBox a, WeftBox b) {
  weft_set_node_links(nodes, node, links);
  weft_set_node_boxes(nodes, node, a, b);
}

#endif
