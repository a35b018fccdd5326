// Traversal of a kd-tree of boxes that weft/box_kd_tree.h builds: the primitives in the leaves that a box overlaps, or
// that a ray passes through.
//
// Gives:    WeftBoxKdTree   for push constants: the addresses of nodes and of references
//           WeftBoxKdWalk   a traversal. After a step: .primitive, an index; .nodes, the number of nodes read so far
//           Each pair of functions starts a traversal, and goes on to the next reference; false if there is none:
//           WeftBoxKdWalk weft_box_kd_overlaps(box)   bool weft_box_kd_next_overlap(walk, tree, box)
//           WeftBoxKdWalk weft_box_kd_hits(ray)       bool weft_box_kd_next_hit(walk, tree, ray)
// Macros:   WEFT_BOX_KD_LEVELS   optional: the most planes above a leaf. 60, which is enough for every tree
//           those of weft/thread/memory.glsl
// Usage:    WeftBoxKdWalk walk = weft_box_kd_hits(ray);
//           while (weft_box_kd_next_hit(walk, args.tree, ray)) {
//             float t = ...;        // of walk.primitive, which may be far from the ray
//             if (t < ray.t_max) ...      // ray.t_max = t, and what else is to be kept
//           }
// Progress: P0. Nobody waits.
//
// Every primitive whose box overlaps the box or is hit by the ray is found, once in each leaf that has it. So are the
// other primitives of these leaves: test each one. Leaves come in the order in which a ray passes through them.
// A loop may lower ray.t_max, so that cells beyond it are skipped, up to 2^-20 of that distance; it may break.
//
// All traversals of an invocation share one stack. So a loop over a traversal's primitives may not contain another one.
#ifndef WEFT_DEVICE_BOX_KD_TREE
#define WEFT_DEVICE_BOX_KD_TREE

#include "weft/thread/ray.glsl"

#ifndef WEFT_BOX_KD_LEVELS
#define WEFT_BOX_KD_LEVELS 60
#endif

struct WeftBoxKdTree {
  uvec2 nodes, references;
};

struct WeftBoxKdWalk {
  uint primitive, nodes;
  uint next, end;      // References of the leaf.
  uint node, top;      // The node to go on with, and the number of entries in the stack.
  float t_min, t_max;  // Of the ray in that node's cell.
};

uint weft_box_kd_stack[WEFT_BOX_KD_LEVELS];
float weft_box_kd_t_min[WEFT_BOX_KD_LEVELS];  // Of rays, in the entries' cells.
float weft_box_kd_t_max[WEFT_BOX_KD_LEVELS];

const uint weft_box_kd_leaf = 3u, weft_box_kd_none = 0xFFFFFFFFu;

// The coordinate along an axis, by selection: an index would put the vector into memory.
float weft_box_kd_along(vec3 x, uint axis) { return axis == 0u ? x.x : axis == 1u ? x.y : x.z; }

WeftBoxKdWalk weft_box_kd_walk(float t_min, float t_max) { return WeftBoxKdWalk(0u, 0u, 0u, 0u, 0u, 0u, t_min, t_max); }

bool weft_box_kd_take(inout WeftBoxKdWalk walk, WeftBoxKdTree tree) {
  if (walk.next == walk.end) return false;
  walk.primitive = weft_load_word(weft_element_address(tree.references, 4u, walk.next++), 0u, 0u);
  return true;
}

uvec4 weft_box_kd_node(inout WeftBoxKdWalk walk, WeftBoxKdTree tree) {
  ++walk.nodes;
  return weft_load_vector(weft_element_address(tree.nodes, 16u, walk.node), 0u, 0u);
}

void weft_box_kd_push(inout WeftBoxKdWalk walk, uint node, float t_min, float t_max) {
  weft_box_kd_stack[walk.top] = node;
  weft_box_kd_t_min[walk.top] = t_min;
  weft_box_kd_t_max[walk.top++] = t_max;
}

void weft_box_kd_enter(inout WeftBoxKdWalk walk, uvec4 leaf) {
  walk.next = leaf.z;
  walk.end = leaf.z + leaf.w;
}

// Goes on with an entry of the stack whose cell begins at `most` or before.
void weft_box_kd_pop(inout WeftBoxKdWalk walk, float most) {
  walk.node = weft_box_kd_none;
  while (walk.top > 0u && walk.node == weft_box_kd_none) {
    --walk.top;
    walk.t_min = weft_box_kd_t_min[walk.top];
    walk.t_max = weft_box_kd_t_max[walk.top];
    if (walk.t_min <= weft_widened(most)) walk.node = weft_box_kd_stack[walk.top];
  }
}

WeftBoxKdWalk weft_box_kd_overlaps(WeftBox box) { return weft_box_kd_walk(0.0, 0.0); }

// A box that touches a plane overlaps both sides. An empty box may have its low corner above the plane and its high one
// below. Whatever overlaps that box is on both sides, so one side is enough.
bool weft_box_kd_next_overlap(inout WeftBoxKdWalk walk, WeftBoxKdTree tree, WeftBox box) {
  while (!weft_box_kd_take(walk, tree)) {
    if (walk.node == weft_box_kd_none) return false;
    uvec4 node = weft_box_kd_node(walk, tree);
    if (node.x == weft_box_kd_leaf) {
      weft_box_kd_enter(walk, node);
      weft_box_kd_pop(walk, 0.0);
      continue;
    }
    float split = uintBitsToFloat(node.y);
    bool below = weft_box_kd_along(box.low, node.x) <= split, above = split <= weft_box_kd_along(box.high, node.x);
    if (below && above) weft_box_kd_push(walk, node.z + 1u, 0.0, 0.0);
    walk.node = below ? node.z : node.z + 1u;
  }
  return true;
}

WeftBoxKdWalk weft_box_kd_hits(WeftRay ray) { return weft_box_kd_walk(ray.t_min, ray.t_max); }

// Goes on with the children of a node whose cells the ray passes through, the nearer one first. The ranges of t in the
// two cells overlap by the rounding error of t.
void weft_box_kd_follow(inout WeftBoxKdWalk walk, uvec4 node, WeftRay ray) {
  float split = uintBitsToFloat(node.y), inverse = weft_box_kd_along(ray.inverse, node.x);
  precise float offset = split - weft_box_kd_along(ray.origin, node.x), t = offset * inverse;
  if (inverse == 0.0) {
    if (offset == 0.0) weft_box_kd_push(walk, node.z + 1u, walk.t_min, walk.t_max);
    walk.node = offset >= 0.0 ? node.z : node.z + 1u;
    return;
  }
  const float slack = 9.5367431640625e-7;  // 2^-20
  float earliest = max(walk.t_min, t * (t > 0.0 ? 1.0 - slack : 1.0 + slack));
  float latest = min(walk.t_max, t * (t > 0.0 ? 1.0 + slack : 1.0 - slack));
  uint near = inverse > 0.0 ? node.z : node.z + 1u, far = inverse > 0.0 ? node.z + 1u : node.z;
  bool goes_near = walk.t_min <= latest, goes_far = earliest <= walk.t_max;
  if (goes_near && goes_far) weft_box_kd_push(walk, far, earliest, walk.t_max);
  if (goes_near) {
    walk.node = near;
    walk.t_max = latest;
  } else {
    walk.node = far;
    walk.t_min = earliest;
  }
}

bool weft_box_kd_next_hit(inout WeftBoxKdWalk walk, WeftBoxKdTree tree, WeftRay ray) {
  while (!weft_box_kd_take(walk, tree)) {
    if (walk.node == weft_box_kd_none || !(ray.t_min <= ray.t_max)) return false;
    uvec4 node = weft_box_kd_node(walk, tree);
    if (node.x == weft_box_kd_leaf) {
      weft_box_kd_enter(walk, node);
      weft_box_kd_pop(walk, ray.t_max);
    } else {
      weft_box_kd_follow(walk, node, ray);
    }
  }
  return true;
}

#endif
