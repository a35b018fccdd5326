// Traversal of a bounding volume hierarchy that weft/lbvh.h builds: the leaves whose boxes overlap a box, are hit by a
// ray or are near a point.
//
// Gives:    WeftBvh        for push constants: the addresses of nodes, indices and bounds, and the number of leaves
//           WeftBvhWalk    a traversal. After a step: .leaf and .primitive, the index of its primitive; .distance, t
//                          where a ray enters the leaf's box, or a point's squared distance from it; .nodes, the
//                          number of nodes read so far. Rounding may put .distance beyond the given limit, by 2^-20
//           Each pair of functions starts a traversal, and goes on to the next leaf; false if there is none:
//           WeftBvhWalk weft_bvh_overlaps(bvh, box)   bool weft_bvh_next_overlap(walk, bvh, box)
//           WeftBvhWalk weft_bvh_hits(bvh, ray)       bool weft_bvh_next_hit(walk, bvh, ray)
//           WeftBvhWalk weft_bvh_near(bvh, point)     bool weft_bvh_next_near(walk, bvh, point, squared_distance)
//           WeftBvhWalk weft_bvh_overlaps(bvh, box, first)   over the leaves from `first` on
// Macros:   WEFT_BVH_LEVELS   optional: most nodes from the root to a leaf. 92, which is enough for every hierarchy
//           those of weft/thread/memory.glsl
// Usage:    WeftBvhWalk walk = weft_bvh_overlaps(args.bvh, box);
//           while (weft_bvh_next_overlap(walk, args.bvh, box)) {
//             ... walk.primitive ...      // may break
//           }
//           // The first hit: the ray ends at the nearest hit so far.
//           WeftRay ray = weft_ray(origin, direction, 0.0, weft_infinity());
//           WeftBvhWalk walk = weft_bvh_hits(args.bvh, ray);
//           while (weft_bvh_next_hit(walk, args.bvh, ray)) {
//             float t = ...;              // of the primitive; or walk.distance for its box
//             if (t < ray.t_max) ...      // ray.t_max = t, and what else is to be kept
//           }
// Progress: P0. Nobody waits.
//
// Leaves come in no order that programs may rely on; near ones mostly come first for rays and points. A loop may lower
// ray.t_max and squared_distance: leaves beyond are skipped, up to 2^-20 of that distance. It may find any hit and
// break. weft/thread/ray.glsl describes rays. Points are near a leaf if they are no farther from its box. Points that
// are not finite are near nothing, and so are leaves whose squared distance is infinite.
//
// For each pair of overlapping leaves once, start at each leaf with its own box and `first` = leaf + 1: subtrees of
// lower leaves are skipped.
//
// The stack is deep enough for every hierarchy of weft::Lbvh. A node of a linear one splits its leaves at a bit of code
// and index, and nodes below it split theirs at lower bits. Codes have up to 63 bits, and indices of n leaves differ in
// the lowest ceil(log2(n)) bits. So there are at most 63 + ceil(log2(n)) <= 63 + 29 = 92 nodes above a leaf.
// Agglomerative hierarchies keep to the same bound; shaders/kernels/trees/lbvh_merge.glsl shows how. A traversal goes
// on with one child and pushes at most one other, so the stack has at most one entry for each of these nodes. With
// codes of 30 bits or fewer leaves, a lower WEFT_BVH_LEVELS saves memory.
//
// All traversals of an invocation share one stack. So a loop over a traversal's leaves may not contain another one.
#ifndef WEFT_DEVICE_BVH
#define WEFT_DEVICE_BVH

#include "weft/device/tree_up.glsl"
#include "weft/thread/distance.glsl"
#include "weft/thread/ray.glsl"

#ifndef WEFT_BVH_LEVELS
#define WEFT_BVH_LEVELS 92
#endif

struct WeftBvh {
  uvec2 nodes, indices, bounds;  // Those of Lbvh::Arguments.
  uint leaves, unused;
};

struct WeftBvhWalk {
  uint leaf, primitive, nodes;
  float distance;
  uint first;  // Leaves below it are skipped.
  uint top;    // Number of entries in the stack.
};

uint weft_bvh_stack[WEFT_BVH_LEVELS];
float weft_bvh_distances[WEFT_BVH_LEVELS];  // Of the entries' boxes, for rays and points.

struct WeftBvhNode {
  uvec2 children;
  uint end;
  WeftBox boxes[2];
};

WeftBvhNode weft_bvh_node(WeftBvh bvh, uint node) {
  uvec2 memory = weft_element_address(bvh.nodes, 64u, node);
  uvec4 links = weft_load_vector(memory, 0u, 0u);
  vec4 x[3];
  [[unroll]] for (int k = 0; k < 3; ++k) x[k] = uintBitsToFloat(weft_load_vector(memory, 0u, uint(k) + 1u));
  return WeftBvhNode(links.xy, links.w,
                     WeftBox[2](WeftBox(x[0].xyz, vec3(x[0].w, x[1].xy)), WeftBox(vec3(x[1].zw, x[2].x), x[2].yzw)));
}

// Starts at the root, if the box around everything `meets` what is looked for. One leaf is the whole tree.
WeftBvhWalk weft_bvh_start(WeftBvh bvh, bool meets, uint first) {
  if (!meets || first >= bvh.leaves) return WeftBvhWalk(0u, 0u, 0u, 0.0, first, 0u);
  weft_bvh_stack[0] = bvh.leaves == 1u ? weft_tree_leaf : 0u;
  return WeftBvhWalk(0u, 0u, 0u, 0.0, first, 1u);
}

// A first child has the index of its last leaf, and a second child has the last leaf of its parent.
bvec2 weft_bvh_reach_first(WeftBvhWalk walk, WeftBvhNode node, uint index) {
  return bvec2((node.children.x & ~weft_tree_leaf) >= walk.first, max(index, node.end) >= walk.first);
}

// The child to go on with; pushes the other one if both are wanted. Or an entry of the stack; or weft_tree_none.
uint weft_bvh_go(inout WeftBvhWalk walk, uvec2 children, bvec2 wanted) {
  if (all(wanted)) weft_bvh_stack[walk.top++] = children.y;
  if (any(wanted)) return wanted.x ? children.x : children.y;
  return walk.top > 0u ? weft_bvh_stack[--walk.top] : weft_tree_none;
}

// The same, by distance: goes on with the nearer child, and drops entries of the stack beyond `most`.
uint weft_bvh_go_near(inout WeftBvhWalk walk, uvec2 children, bvec2 wanted, vec2 distances, float most) {
  if (any(wanted)) {
    bool second = !wanted.x || (wanted.y && distances.y < distances.x);
    if (all(wanted)) {
      weft_bvh_stack[walk.top] = second ? children.x : children.y;
      weft_bvh_distances[walk.top++] = second ? distances.x : distances.y;
    }
    walk.distance = second ? distances.y : distances.x;
    return second ? children.y : children.x;
  }
  while (walk.top > 0u) {
    walk.distance = weft_bvh_distances[--walk.top];
    if (walk.distance <= weft_widened(most)) return weft_bvh_stack[walk.top];
  }
  return weft_tree_none;
}

bool weft_bvh_found(inout WeftBvhWalk walk, WeftBvh bvh, uint reference) {
  if (reference == weft_tree_none) return false;
  walk.leaf = weft_leaf_index(reference);
  walk.primitive = weft_load_word(bvh.indices, 0u, walk.leaf);
  return true;
}

WeftBvhWalk weft_bvh_overlaps(WeftBvh bvh, WeftBox box, uint first) {
  return weft_bvh_start(bvh, weft_overlap(box, weft_load_box(bvh.bounds, 0u)), first);
}
WeftBvhWalk weft_bvh_overlaps(WeftBvh bvh, WeftBox box) { return weft_bvh_overlaps(bvh, box, 0u); }

bool weft_bvh_next_overlap(inout WeftBvhWalk walk, WeftBvh bvh, WeftBox box) {
  uint reference = weft_bvh_go(walk, uvec2(0u), bvec2(false));
  while (!weft_is_leaf(reference)) {
    WeftBvhNode node = weft_bvh_node(bvh, reference);
    ++walk.nodes;
    bvec2 wanted = bvec2(weft_overlap(box, node.boxes[0]), weft_overlap(box, node.boxes[1]));
    bvec2 in_range = weft_bvh_reach_first(walk, node, reference);
    reference = weft_bvh_go(walk, node.children, bvec2(wanted.x && in_range.x, wanted.y && in_range.y));
  }
  return weft_bvh_found(walk, bvh, reference);
}

WeftBvhWalk weft_bvh_hits(WeftBvh bvh, WeftRay ray) {
  float t;
  WeftBvhWalk walk = weft_bvh_start(bvh, weft_ray_box(ray, weft_load_box(bvh.bounds, 0u), t), 0u);
  weft_bvh_distances[0] = t;
  return walk;
}

bool weft_bvh_next_hit(inout WeftBvhWalk walk, WeftBvh bvh, WeftRay ray) {
  uint reference = weft_bvh_go_near(walk, uvec2(0u), bvec2(false), vec2(0.0), ray.t_max);
  while (!weft_is_leaf(reference)) {
    WeftBvhNode node = weft_bvh_node(bvh, reference);
    ++walk.nodes;
    vec2 t;
    bvec2 wanted = bvec2(weft_ray_box(ray, node.boxes[0], t.x), weft_ray_box(ray, node.boxes[1], t.y));
    reference = weft_bvh_go_near(walk, node.children, wanted, t, ray.t_max);
  }
  return weft_bvh_found(walk, bvh, reference);
}

bool weft_bvh_is_near(float squared_distance, float most) {
  return squared_distance <= weft_widened(most) && squared_distance < weft_infinity();
}

WeftBvhWalk weft_bvh_near(WeftBvh bvh, vec3 point) {
  float distance = weft_squared_distance(point, weft_load_box(bvh.bounds, 0u));
  bool finite = all(lessThan(abs(point), vec3(weft_infinity())));
  WeftBvhWalk walk = weft_bvh_start(bvh, finite && weft_bvh_is_near(distance, weft_infinity()), 0u);
  weft_bvh_distances[0] = distance;
  return walk;
}

bool weft_bvh_next_near(inout WeftBvhWalk walk, WeftBvh bvh, vec3 point, float squared_distance) {
  uint reference = weft_bvh_go_near(walk, uvec2(0u), bvec2(false), vec2(0.0), squared_distance);
  while (!weft_is_leaf(reference)) {
    WeftBvhNode node = weft_bvh_node(bvh, reference);
    ++walk.nodes;
    vec2 distances = vec2(weft_squared_distance(point, node.boxes[0]), weft_squared_distance(point, node.boxes[1]));
    bvec2 wanted =
        bvec2(weft_bvh_is_near(distances.x, squared_distance), weft_bvh_is_near(distances.y, squared_distance));
    reference = weft_bvh_go_near(walk, node.children, wanted, distances, squared_distance);
  }
  return weft_bvh_found(walk, bvh, reference);
}

#endif
