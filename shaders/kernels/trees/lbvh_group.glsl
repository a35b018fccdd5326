// Subtrees whose leaves all belong to one workgroup meet in its memory, not in the device's. Of a hierarchy's nodes,
// all but a few for each workgroup are of this kind.
//
// Gives:    uint weft_group_leaf          the workgroup's first leaf; set it before the rest
//           bool weft_in_group(i)         whether leaf i belongs to the workgroup
//           void weft_keep_box(i, box)    WeftBox weft_kept_box(i)
//                                         the box of a finished subtree. i is its leaf, or the index of its node,
//                                         which is that of one of its leaves
//           uint weft_group_meet(i, word)   like weft_tree_meet(), at leaf i; also orders the boxes that are kept
//           uint weft_group_met(i)          the last word there
//           void weft_start_meetings()      by all invocations of the workgroup together, before the first meeting
// Macros:   none
//
// A node's box may be kept where a box of a subtree below it was: whoever finishes the node has read that.
#ifndef WEFT_KERNELS_TREES_LBVH_GROUP
#define WEFT_KERNELS_TREES_LBVH_GROUP

#include "weft/device/tree_up.glsl"
#include "weft/thread/bvh_node.glsl"

uint weft_group_leaf;

shared float weft_kept_boxes[6 * gl_WorkGroupSize.x];
shared uint weft_meetings[gl_WorkGroupSize.x];

bool weft_in_group(uint i) { return i >= weft_group_leaf && i - weft_group_leaf < gl_WorkGroupSize.x; }

void weft_keep_box(uint i, WeftBox box) {
  uint at = i - weft_group_leaf;
  [[unroll]] for (uint k = 0u; k < 3u; ++k) {
    weft_kept_boxes[k * gl_WorkGroupSize.x + at] = box.low[k];
    weft_kept_boxes[(3u + k) * gl_WorkGroupSize.x + at] = box.high[k];
  }
}

WeftBox weft_kept_box(uint i) {
  uint at = i - weft_group_leaf;
  WeftBox box;
  [[unroll]] for (uint k = 0u; k < 3u; ++k) {
    box.low[k] = weft_kept_boxes[k * gl_WorkGroupSize.x + at];
    box.high[k] = weft_kept_boxes[(3u + k) * gl_WorkGroupSize.x + at];
  }
  return box;
}

void weft_start_meetings() {
  weft_meetings[gl_LocalInvocationIndex] = weft_tree_none;
  barrier();
}

void weft_order_group() {
  memoryBarrier(gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
}

uint weft_group_meet(uint i, uint word) {
  weft_order_group();
  uint met = atomicExchange(weft_meetings[i - weft_group_leaf], word);
  weft_order_group();
  return met;
}

uint weft_group_met(uint i) { return weft_meetings[i - weft_group_leaf]; }

#endif
