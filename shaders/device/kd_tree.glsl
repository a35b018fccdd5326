// A walk through a kd-tree of points, and the nearest of them. Walks need no stack: nodes have no links, so an
// invocation computes where to go from the node that it is at and the one that it came from.
//
// Gives:    WeftKdTree   .nodes: address of the first node; .count: number of nodes
//           WeftKdWalk weft_kd_walk()   a walk that has not started
//           bool weft_kd_next(tree, query, limit, walk, out WeftKdNode node)
//                        goes on to the next node; false at the end. Subtrees are left out if all their points are
//                        farther from the query than `limit`, a squared distance that may shrink from call to call.
//                        Other nodes come once each, those farther away too
//           with WEFT_NEIGHBOURS:
//           void weft_kd_nearest(tree, query, float squared_radius, out uvec2 found[WEFT_NEIGHBOURS])
//                        the nearest points within that radius: y is the index of a point, x has the bits of its
//                        squared distance. In the order of distances, then of indices. Unused entries come last, with
//                        infinity and weft_kd_none
//           everything in weft/thread/kd_node.glsl
// Macros:   WEFT_DIMENSIONS   2 or 3
//           WEFT_NEIGHBOURS   optional: how many points weft_kd_nearest() finds, in registers; 1 to 32
// Usage:    WeftKdTree tree = WeftKdTree(args.nodes, args.count);
//           WeftKdWalk walk = weft_kd_walk();
//           WeftKdNode node;
//           while (weft_kd_next(tree, query, limit, walk, node)) {
//             if (weft_squared_distance(query, node.at) <= limit) ...   // node.index is within the radius
//           }
//
// A distance that is NaN is never found: that to a point with a NaN, or of equal infinities. Limits are not NaN and not
// negative. Distances are compared as bits, which for floats from 0 to infinity have the order of the numbers, and NaNs
// above. (Wald 2022, A Stack-Free Traversal Algorithm for Left-Balanced k-d Trees.)
#ifndef WEFT_DEVICE_KD_TREE
#define WEFT_DEVICE_KD_TREE

#extension GL_EXT_control_flow_attributes : require

#include "weft/thread/kd_node.glsl"

const uint weft_kd_none = 0xFFFFFFFFu;

struct WeftKdTree {
  uvec2 nodes;
  uint count;
};

// The node to go to, and the one that it is reached from. The parent of the root is weft_kd_none.
struct WeftKdWalk {
  uint node, from;
};

WeftKdWalk weft_kd_walk() { return WeftKdWalk(0u, weft_kd_none); }

bool weft_kd_next(WeftKdTree tree, WeftKdPoint query, float limit, inout WeftKdWalk walk, out WeftKdNode found) {
  while (walk.node < tree.count) {
    uint node = walk.node, from = walk.from, parent = (node + 1u) / 2u - 1u;
    bool is_new = from == parent;
    found = weft_kd_node(tree.nodes, node);
    float own = weft_kd_coordinate(query, weft_kd_axis(node)), plane = weft_kd_coordinate(found.at, weft_kd_axis(node));
    // Equal infinities have an offset of 0. NaNs are sorted last, so there are only NaNs to the right of one: a NaN
    // as offset makes the left child the near one, and the right one too far.
    precise float offset = own == plane ? 0.0 : own - plane;
    precise float squared = offset * offset;
    bool is_right = floatBitsToUint(offset) <= 0x7F800000u;
    uint near = 2u * node + (is_right ? 2u : 1u), far = 2u * node + (is_right ? 1u : 2u);
    walk = WeftKdWalk(parent, node);
    if (is_new && near < tree.count) {
      walk.node = near;
    } else if (from != far && far < tree.count && floatBitsToUint(squared) <= floatBitsToUint(limit)) {
      walk.node = far;
    }
    if (is_new) return true;
  }
  return false;
}

#ifdef WEFT_NEIGHBOURS
bool weft_kd_nearer(uvec2 a, uvec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

void weft_kd_nearest(WeftKdTree tree, WeftKdPoint query, float squared_radius, out uvec2 found[WEFT_NEIGHBOURS]) {
  [[unroll]] for (int k = 0; k < WEFT_NEIGHBOURS; ++k) {
    found[k] = uvec2(floatBitsToUint(squared_radius), weft_kd_none);
  }
  WeftKdWalk walk = weft_kd_walk();
  uvec2 next = uvec2(weft_kd_none);  // No point yet, so farther than all.
  bool more;
  do {  // The step comes second: compilers for AMD do not unroll a loop at the end of another.
    [[unroll]] for (int k = 0; k < WEFT_NEIGHBOURS; ++k) {
      uvec2 other = found[k];
      bool is_nearer = weft_kd_nearer(next, other);
      found[k] = is_nearer ? next : other;
      next = is_nearer ? other : next;
    }
    WeftKdNode node;
    more = weft_kd_next(tree, query, uintBitsToFloat(found[WEFT_NEIGHBOURS - 1].x), walk, node);
    next = uvec2(floatBitsToUint(weft_squared_distance(query, node.at)), node.index);
  } while (more);
  [[unroll]] for (int k = 0; k < WEFT_NEIGHBOURS; ++k) {
    if (found[k].y == weft_kd_none) found[k].x = 0x7F800000u;
  }
}
#endif

#endif
