// References to nodes of trees, in device memory.
//
// Gives:    WeftLinks   buffer reference to consecutive references
//           WeftLinks weft_links_of(memory, uint words, uint node)   those of a node, of `words` words each
#ifndef WEFT_KERNELS_TREES_LINKS
#define WEFT_KERNELS_TREES_LINKS

#include "weft/thread/memory.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftLinks { uint at[]; };

WeftLinks weft_links_of(uvec2 memory, uint words, uint node) {
  return WeftLinks(weft_element_address(memory, 4u * words, node));
}

#endif
