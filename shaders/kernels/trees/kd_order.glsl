// The nodes of a left-balanced tree from left to right: a left subtree, its parent, the right subtree.
//
// Gives:    uint weft_kd_height(count)             the depth of the last level; the root's is 0
//           uint weft_kd_position(rank, count)     where the node with that rank from the left would be, if the last
//                                                  level were full. Positions start at 1
//           uint weft_kd_depth(position, height), uint weft_kd_node_at(position, height)   the node's depth and index
//
// The last level has the odd positions; the level at depth d has the odd multiples of 2^(height - d).
#ifndef WEFT_KERNELS_TREES_KD_ORDER
#define WEFT_KERNELS_TREES_KD_ORDER

uint weft_kd_height(uint count) { return uint(findMSB(count)); }

uint weft_kd_position(uint rank, uint count) {
  uint in_last_level = count + 1u - (1u << weft_kd_height(count));
  return rank < 2u * in_last_level ? rank + 1u : 2u * (rank - in_last_level + 1u);
}

uint weft_kd_depth(uint position, uint height) { return height - uint(findLSB(position)); }

uint weft_kd_node_at(uint position, uint height) {
  return (1u << weft_kd_depth(position, height)) - 1u + (position >> uint(findLSB(position)) >> 1);
}

#endif
