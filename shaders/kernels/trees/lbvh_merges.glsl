// The merges of an agglomerative hierarchy: its nodes, before they have their final indices.
//
// Gives:    WeftMerge                          .link; .first_leaves, .leaves: the number of leaves below the first
// child,
//                                              and below both; .height: the number of merges above one another
//           WeftMerge weft_merge(merges, i)    void weft_set_merge(merges, i, first_leaves, leaves, height)
//           void weft_set_link(merges, leaf_links, reference, link)   of a leaf or merge
//           weft_second_child + i              the link of the second child of merge i; the first child's is i.
//                                              weft_tree_none is that of the root
//           bool weft_is_second(link), uint weft_merge_index(link)    not for weft_tree_none
// Macros:   none
//
// A merge has 16 bytes of memory at a multiple of 16; its link comes later than the rest.
#ifndef WEFT_KERNELS_TREES_LBVH_MERGES
#define WEFT_KERNELS_TREES_LBVH_MERGES

#include "weft/device/tree_up.glsl"
#include "weft/kernels/trees/links.glsl"

const uint weft_second_child = 0x80000000u;

bool weft_is_second(uint link) { return link >= weft_second_child; }
uint weft_merge_index(uint link) { return link & ~weft_second_child; }

struct WeftMerge {
  uint link, first_leaves, leaves, height;
};

WeftMerge weft_merge(uvec2 merges, uint i) {
  uvec4 words = weft_load_vector(weft_element_address(merges, 16u, i), 0u, 0u);
  return WeftMerge(words.x, words.y, words.z, words.w);
}

void weft_set_merge(uvec2 merges, uint i, uint first_leaves, uint leaves, uint height) {
  uvec2 memory = weft_element_address(merges, 16u, i);
  weft_store_word(memory, 0u, 1u, first_leaves);
  weft_store_word(memory, 0u, 2u, leaves);
  weft_store_word(memory, 0u, 3u, height);
}

void weft_set_link(uvec2 merges, WeftLinks leaf_links, uint reference, uint link) {
  if (weft_is_leaf(reference)) {
    leaf_links.at[weft_leaf_index(reference)] = link;
  } else {
    weft_store_word(weft_element_address(merges, 16u, reference), 0u, 0u, link);
  }
}

#endif
