// Points in elements of any type, for kernels that compute with kd-trees.
//
// Gives:    WeftKdPoint weft_point_at(points, i)   that of element i
// Macros:   WEFT_POINT   GLSL expression of `x`, an element of type K, and `i`, its index
//           WEFT_DIMENSIONS; those of weft/workgroup/keys.glsl
#ifndef WEFT_KERNELS_TREES_KD_POINTS
#define WEFT_KERNELS_TREES_KD_POINTS

#include "weft/thread/kd_node.glsl"
#include "weft/workgroup/keys.glsl"

WeftKdPoint weft_point_of(K x, uint i) {
  precise WeftKdPoint point = WEFT_POINT;
  return point;
}

WeftKdPoint weft_point_at(uvec2 points, uint i) {
  return weft_point_of(weft_key_load_from(points, weft_block_offset(i, K_WORDS, K_BYTES / K_WORDS), 0u), i);
}

#endif
