// Prefix scan over a workgroup, in the order of gl_SubgroupID and lane.
//
// Gives:    T WEFT_OP(workgroup_exclusive_scan)(T x, out T total)   what comes before this invocation, and all of it
//           T WEFT_OP(workgroup_scan_parts)(T part, out T total)      likewise of one value for each subgroup, passed
//                                                                     by all its lanes
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    layout(local_size_x = 256) in;
//           ...
//           uint total;
//           uint before = sum_workgroup_exclusive_scan(x, total);
//
// All invocations of the workgroup call them together. Two barriers; workgroup memory of one T for each subgroup.
#ifndef WEFT_WORKGROUP_SCAN
#define WEFT_WORKGROUP_SCAN

#include "weft/subgroup/scan.glsl"
#include "weft/workgroup/subgroups.glsl"

shared T WEFT_OP(scan_parts)[WEFT_MAX_SUBGROUPS];

T WEFT_OP(workgroup_scan_parts)(T part, out T total) {
  if (gl_SubgroupInvocationID == 0u) WEFT_OP(scan_parts)[gl_SubgroupID] = part;
  barrier();
  // Each subgroup scans all parts for itself, a subgroup's width at a time: cheaper than one that tells the others.
  uint lanes = weft_lanes();
  T before = WEFT_OP(identity)();
  total = WEFT_OP(identity)();
  for (uint first = 0u; first < gl_NumSubgroups; first += lanes) {
    uint index = first + gl_SubgroupInvocationID;
    T x = WEFT_OP(identity)();
    if (index < gl_NumSubgroups) x = WEFT_OP(scan_parts)[index];
    T inclusive = WEFT_OP(subgroup_inclusive_scan)(x);
    uint mine = gl_SubgroupID - first;  // Wraps to a large number where this subgroup's part was in an earlier round.
    T within = WEFT_OP(subgroup_shuffle)(inclusive, min(mine - 1u, lanes - 1u));
    if (mine == 0u) before = total;
    if (mine > 0u && mine < lanes) before = WEFT_OP(combine)(total, within);
    total = WEFT_OP(combine)(total, WEFT_OP(subgroup_shuffle)(inclusive, lanes - 1u));
  }
  barrier();  // The next call writes the parts again.
  return before;
}

T WEFT_OP(workgroup_exclusive_scan)(T x, out T total) {
  T part;
  T within = WEFT_OP(subgroup_exclusive_scan)(x, part);
  return WEFT_OP(combine)(WEFT_OP(workgroup_scan_parts)(part, total), within);
}

#endif
