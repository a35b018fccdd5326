// The primitives of a hierarchy, as elements in memory or as triangles whose corners are given by index.
//
// Gives:    K, and K weft_load_primitive(primitives, vertices, uint i)
// Macros:   WEFT_VERTEX_BYTES   optional: a primitive is three indices of vertices, that many bytes apart, which start
//                               with three floats; K has the corners a, b and c. Without, `vertices` is not used
//           those of weft/workgroup/keys.glsl
#ifndef WEFT_KERNELS_TREES_PRIMITIVES
#define WEFT_KERNELS_TREES_PRIMITIVES

#include "weft/workgroup/keys.glsl"

#ifdef WEFT_VERTEX_BYTES
vec3 weft_load_vertex(uvec2 vertices, uint i) {
  uvec2 memory = weft_element_address(vertices, WEFT_VERTEX_BYTES, i);
  uvec3 words = uvec3(weft_load_word(memory, 0u, 0u), weft_load_word(memory, 0u, 1u), weft_load_word(memory, 0u, 2u));
  return uintBitsToFloat(words);
}

K weft_load_primitive(uvec2 primitives, uvec2 vertices, uint i) {
  uvec2 memory = weft_element_address(primitives, 12u, i);
  return K(weft_load_vertex(vertices, weft_load_word(memory, 0u, 0u)),
           weft_load_vertex(vertices, weft_load_word(memory, 0u, 1u)),
           weft_load_vertex(vertices, weft_load_word(memory, 0u, 2u)));
}
#else
K weft_load_primitive(uvec2 primitives, uvec2 vertices, uint i) {
  return weft_key_load_from(primitives, weft_block_offset(weft_index(i), K_WORDS, K_BYTES / K_WORDS), 0u);
}
#endif

#endif
