// Traversal of a bounding volume hierarchy without a stack: the leaves whose boxes overlap a box or are hit by a ray,
// in their order. For kernels that are short of private memory, and within the loop of another traversal.
//
// Gives:    WeftBvhRopes   a traversal. What its last step found: .leaf, .primitive; .distance, t where a ray enters
//                          the leaf's box. .nodes, the number of nodes read
//           WeftBvhRopes weft_bvh_ropes(bvh)   starts it
//           bool weft_bvh_next_by_rope(ropes, bvh, leaf_parents, box)   goes on; false if there is no further leaf
//           bool weft_bvh_next_by_rope(ropes, bvh, leaf_parents, ray)
// Macros:   those of weft/device/bvh.glsl
// Usage:    WeftBvhRopes ropes = weft_bvh_ropes(args.bvh);
//           while (weft_bvh_next_by_rope(ropes, args.bvh, args.leaf_parents, box)) {
//             ... ropes.primitive ...
//           }
// Progress: P0. Nobody waits.
//
// A rope leads from a subtree to the one that comes after it, and takes no memory here. A node splits leaves l and
// l + 1 into its children. Its second child has the index of its first leaf: it is node l + 1, if that node's leaves
// start there, or leaf l + 1. So the end of a subtree says where to go. `leaf_parents` is the address of that argument
// of Lbvh, for the boxes of leaves at the ends of ropes. More nodes are read than with a stack, because a rope leads to
// a node whose box may have been tested in vain. For the first hit of a ray, more still: a loop may lower ray.t_max as
// with a stack, but near leaves do not come first. (Karras 2012, Maximizing Parallelism in the Construction of BVHs,
// Octrees, and k-d Trees, has the indices; Torres, Martin and Gavilanes 2009, Ray Casting using a Roped BVH with CUDA.)
#ifndef WEFT_DEVICE_BVH_ROPES
#define WEFT_DEVICE_BVH_ROPES

#include "weft/device/bvh.glsl"

struct WeftBvhRopes {
  uint leaf, primitive, nodes;
  float distance;
  uint next;  // The node or leaf to look at.
  bool met;   // Its box is known to be met.
};

WeftBvhRopes weft_bvh_ropes(WeftBvh bvh) {
  uint root = bvh.leaves == 0u ? weft_tree_none : bvh.leaves == 1u ? weft_tree_leaf : 0u;
  return WeftBvhRopes(0u, 0u, 0u, 0.0, root, false);
}

// What comes after the subtree whose last leaf this is.
uint weft_bvh_after(WeftBvh bvh, uint leaf) {
  uint next = leaf + 1u;
  if (next == bvh.leaves) return weft_tree_none;
  bool is_node = next + 1u < bvh.leaves && weft_node_word(bvh.nodes, next, weft_node_end) > next;
  return is_node ? next : weft_tree_leaf + next;
}

WeftBox weft_bvh_leaf_box(WeftBvh bvh, uvec2 leaf_parents, uint leaf) {
  if (bvh.leaves == 1u) return weft_load_box(bvh.bounds, 0u);
  uint parent = weft_load_word(leaf_parents, 0u, leaf);
  bool is_first = weft_node_word(bvh.nodes, parent, weft_node_child) == weft_tree_leaf + leaf;
  return weft_node_box(bvh.nodes, parent, is_first ? 0u : 1u);
}

// Goes on from a node to the first child that is met, or past the node.
void weft_bvh_descend(inout WeftBvhRopes ropes, WeftBvh bvh, WeftBvhNode node, bvec2 met) {
  ++ropes.nodes;
  ropes.met = any(met);
  ropes.next = met.x ? node.children.x : met.y ? node.children.y : weft_bvh_after(bvh, max(ropes.next, node.end));
}

// Goes on past a leaf.
void weft_bvh_pass(inout WeftBvhRopes ropes, WeftBvh bvh) {
  ropes.leaf = weft_leaf_index(ropes.next);
  ropes.next = weft_bvh_after(bvh, ropes.leaf);
}

bool weft_bvh_found(inout WeftBvhRopes ropes, WeftBvh bvh) {
  ropes.met = false;
  ropes.primitive = weft_load_word(bvh.indices, 0u, ropes.leaf);
  return true;
}

bool weft_bvh_next_by_rope(inout WeftBvhRopes ropes, WeftBvh bvh, uvec2 leaf_parents, WeftBox box) {
  while (ropes.next != weft_tree_none) {
    if (weft_is_leaf(ropes.next)) {
      weft_bvh_pass(ropes, bvh);
      if (!ropes.met) ropes.met = weft_overlap(box, weft_bvh_leaf_box(bvh, leaf_parents, ropes.leaf));
      if (ropes.met) return weft_bvh_found(ropes, bvh);
    } else {
      WeftBvhNode node = weft_bvh_node(bvh, ropes.next);
      weft_bvh_descend(ropes, bvh, node, bvec2(weft_overlap(box, node.boxes[0]), weft_overlap(box, node.boxes[1])));
    }
  }
  return false;
}

bool weft_bvh_next_by_rope(inout WeftBvhRopes ropes, WeftBvh bvh, uvec2 leaf_parents, WeftRay ray) {
  while (ropes.next != weft_tree_none) {
    if (weft_is_leaf(ropes.next)) {
      weft_bvh_pass(ropes, bvh);
      if (!ropes.met) {
        ropes.met = weft_ray_box(ray, weft_bvh_leaf_box(bvh, leaf_parents, ropes.leaf), ropes.distance);
      }
      if (ropes.met) return weft_bvh_found(ropes, bvh);
    } else {
      WeftBvhNode node = weft_bvh_node(bvh, ropes.next);
      vec2 t;
      bvec2 met = bvec2(weft_ray_box(ray, node.boxes[0], t.x), weft_ray_box(ray, node.boxes[1], t.y));
      ropes.distance = met.x ? t.x : t.y;
      weft_bvh_descend(ropes, bvh, node, met);
    }
  }
  return false;
}

#endif
