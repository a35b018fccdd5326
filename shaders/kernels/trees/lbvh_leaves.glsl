// The boxes of a hierarchy's leaves.
//
// Gives:    WeftBox weft_leaf_box(primitives, vertices, indices, leaf)   that of the primitive indices[leaf]
//           void weft_store_bounds(memory, WeftBox)            and WeftBox weft_empty_box()
// Macros:   WEFT_LOW, WEFT_HIGH   GLSL expressions of `x`, a primitive of type K, and `i`, its index
//           those of weft/kernels/trees/primitives.glsl
#ifndef WEFT_KERNELS_TREES_LBVH_LEAVES
#define WEFT_KERNELS_TREES_LBVH_LEAVES

#include "weft/kernels/trees/links.glsl"
#include "weft/kernels/trees/primitives.glsl"
#include "weft/thread/bvh_node.glsl"

WeftBox weft_box_of(K x, uint i) {
  precise vec3 low = WEFT_LOW, high = WEFT_HIGH;
  return WeftBox(low, high);
}

WeftBox weft_leaf_box(uvec2 primitives, uvec2 vertices, WeftLinks indices, uint leaf) {
  uint i = indices.at[leaf];
  return weft_box_of(weft_load_primitive(primitives, vertices, i), i);
}

WeftBox weft_empty_box() { return WeftBox(vec3(uintBitsToFloat(0x7F800000u)), vec3(uintBitsToFloat(0xFF800000u))); }

void weft_store_bounds(uvec2 memory, WeftBox box) { weft_store_box(memory, 0u, box); }

#endif
