// The boxes of a hierarchy's leaves.
//
// Gives:    WeftBox weft_leaf_box(primitives, indices, leaf)   that of the primitive whose index is indices[leaf]
//           void weft_store_bounds(memory, WeftBox)            and WeftBox weft_empty_box()
// Macros:   WEFT_LOW, WEFT_HIGH   GLSL expressions of `x`, a primitive of type K, and `i`, its index
//           those of weft/workgroup/keys.glsl
#ifndef WEFT_KERNELS_TREES_LBVH_LEAVES
#define WEFT_KERNELS_TREES_LBVH_LEAVES

#include "weft/kernels/trees/links.glsl"
#include "weft/thread/bvh_node.glsl"
#include "weft/workgroup/keys.glsl"

WeftBox weft_box_of(K x, uint i) {
  precise vec3 low = WEFT_LOW, high = WEFT_HIGH;
  return WeftBox(low, high);
}

WeftBox weft_leaf_box(uvec2 primitives, WeftLinks indices, uint leaf) {
  uint i = indices.at[leaf];
  return weft_box_of(weft_key_load_from(primitives, weft_block_offset(i, K_WORDS, K_BYTES / K_WORDS), 0u), i);
}

WeftBox weft_empty_box() { return WeftBox(vec3(uintBitsToFloat(0x7F800000u)), vec3(uintBitsToFloat(0xFF800000u))); }

void weft_store_bounds(uvec2 memory, WeftBox box) { weft_store_box(memory, 0u, box); }

#endif
