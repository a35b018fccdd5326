// Merges near clusters of a tile, round by round, until `goal` are left: a step of an agglomerative hierarchy. Clusters
// merge if each is the other's nearest among `radius` on either side; the distance is the area of the box around both.
//
// Gives:    args, the push constants. A tile has a cluster for each invocation, from `tile_leaves` leaves
//           Cluster   .box, without NaNs; .reference to its root; .leaves, .height; .free, the index of a merge that no
//                     other cluster makes
//           void merge_tile(uint tile, bool is_one, Cluster cluster)   by all invocations; `is_one`: it has a cluster
// Macros:   those of weft/workgroup/scan_counts.glsl; `T` and WEFT_OP are not defined before
//
// (Meister and Bittner 2018, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction; Benthin et
// al. 2024, H-PLOC. Here tiles of equal size take the part of subtrees, so all steps are known when they are recorded.)
//
// Depth:    no tree has more than b + ceil(log2(n)) nodes above a leaf, for codes of b bits and n leaves. Clusters that
//           would be higher than `height`, b - 1, do not merge in this way. A round without a merge is followed by one
//           that merges all neighbours in pairs, and so halves their number. A cluster's height is at most b - 1 and
//           the number of these rounds. Each step but the last has at most two, since a quarter of a tile is left after
//           them, and the last step at most ceil(log2(clusters)). With one step that is ceil(log2(n)). With k more
//           there are more than 128 * 4^(k - 1) leaves, so ceil(log2(n)) + 1 is at least 2 k + 7, and there are no more
//           such rounds than that.
#ifndef WEFT_KERNELS_TREES_LBVH_MERGE
#define WEFT_KERNELS_TREES_LBVH_MERGE

#include "weft/workgroup/scan_counts.glsl"

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_merges.glsl"
#include "weft/thread/bvh_node.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 vertices;
  WeftLinks indices;
  uvec2 clusters;
  uvec2 clusters_left;
  uvec2 merges;
  WeftLinks leaf_links;
  WeftCount count_on_device;
  uvec2 count;
  uint tile_leaves;
  uint goal;
  uint height;
  uint options;
}
args;

const uint radius = 8u;

struct Cluster {
  WeftBox box;
  uint reference, free, leaves, height;
};

shared float boxes[6 * gl_WorkGroupSize.x];
shared uint references[gl_WorkGroupSize.x], frees[gl_WorkGroupSize.x], leaves_below[gl_WorkGroupSize.x],
    heights[gl_WorkGroupSize.x], nearest[gl_WorkGroupSize.x];

WeftBox box_at(uint i) {
  WeftBox box;
  [[unroll]] for (uint k = 0u; k < 3u; ++k) {
    box.low[k] = boxes[k * gl_WorkGroupSize.x + i];
    box.high[k] = boxes[(3u + k) * gl_WorkGroupSize.x + i];
  }
  return box;
}

Cluster cluster_at(uint i) { return Cluster(box_at(i), references[i], frees[i], leaves_below[i], heights[i]); }

void keep(uint i, Cluster cluster) {
  [[unroll]] for (uint k = 0u; k < 3u; ++k) {
    boxes[k * gl_WorkGroupSize.x + i] = cluster.box.low[k];
    boxes[(3u + k) * gl_WorkGroupSize.x + i] = cluster.box.high[k];
  }
  references[i] = cluster.reference;
  frees[i] = cluster.free;
  leaves_below[i] = cluster.leaves;
  heights[i] = cluster.height;
}

void leave(uint slot, uint i, uint count) {
  uvec2 memory = weft_element_address(args.clusters_left, 32u, slot);
  if (i >= count) {
    weft_store_vector(memory, 0u, 1u, uvec4(weft_tree_none));
    return;
  }
  Cluster cluster = cluster_at(i);
  weft_store_vector(memory, 0u, 0u, floatBitsToUint(vec4(cluster.box.low, cluster.box.high.x)));
  weft_store_vector(memory, 0u, 1u, uvec4(floatBitsToUint(cluster.box.high.yz), cluster.reference, cluster.free));
}

WeftBox around(WeftBox a, WeftBox b) { return WeftBox(min(a.low, b.low), max(a.high, b.high)); }

// Bits of a float that is at least 0, in whose order distances are. Denormals count as 0, which they are on some
// devices; an infinite side may give a NaN.
uint distance_of(WeftBox a, WeftBox b) {
  WeftBox both = around(a, b);
  float area = weft_surface_area(both.low, both.high);
  if (weft_is_nan(area)) return 0x7F800000u;
  return area < 1.17549435e-38 ? 0u : floatBitsToUint(area);
}

// Of equally near clusters, the one whose index differs in the lowest bits: equal boxes merge in pairs.
uint nearest_to(uint i, uint count) {
  WeftBox box = box_at(i);
  uint height = heights[i], found = weft_tree_none;
  uvec2 least = uvec2(0xFFFFFFFFu);
  for (uint j = i - min(i, radius); j < min(i + radius + 1u, count); ++j) {
    if (j == i || max(height, heights[j]) >= args.height) continue;
    uvec2 distance = uvec2(distance_of(box, box_at(j)), i ^ j);
    if (distance.x > least.x || (distance.x == least.x && distance.y > least.y)) continue;
    least = distance;
    found = j;
  }
  return found;
}

void link(uint reference, uint to) { weft_set_link(args.merges, args.leaf_links, reference, to); }

// What becomes of cluster i; false if the one before it takes it in.
bool merged(uint i, uint count, out Cluster cluster) {
  cluster = cluster_at(i);
  uint other = nearest[i];
  if (other >= count || nearest[other] != i) return true;
  if (other < i) return false;
  Cluster second = cluster_at(other);
  uint merge = second.free, leaves = cluster.leaves + second.leaves, height = max(cluster.height, second.height) + 1u;
  weft_set_merge(args.merges, merge, cluster.leaves, leaves, height);
  link(cluster.reference, merge);
  link(second.reference, weft_second_child + merge);
  cluster = Cluster(around(cluster.box, second.box), merge, cluster.free, leaves, height);
  return true;
}

// Keeps the workgroup's clusters one after the other; their number.
uint gather(bool is_one, Cluster cluster) {
  uint count, i = weft_count_workgroup_exclusive_scan(uint(is_one), count);
  if (is_one) keep(i, cluster);
  barrier();
  return count;
}

void merge_tile(uint tile, bool is_one, Cluster cluster) {
  uint i = gl_LocalInvocationIndex, count = gather(is_one, cluster);
  bool in_pairs = false;
  while (count > args.goal) {
    if (i < count) nearest[i] = in_pairs ? i ^ 1u : nearest_to(i, count);
    barrier();
    is_one = i < count && merged(i, count, cluster);
    uint left = gather(is_one, cluster);
    in_pairs = left == count;
    count = left;
  }
  if (args.goal == 1u) {
    if (i == 0u) link(references[0], weft_tree_none);
  } else if (i < args.goal) {
    leave(tile * args.goal + i, i, count);
  }
}

#endif
