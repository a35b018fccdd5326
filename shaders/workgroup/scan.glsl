// Exclusive prefix scan over a workgroup, in the order of gl_SubgroupID and lane, and over the rows of a tile.
//
// Gives:    T WEFT_OP(workgroup_exclusive_scan)(T x, out T total)   the values before this invocation's, combined
//           T WEFT_OP(workgroup_scan_parts)(T part, out T total)    the same for one value of each subgroup, which all
//                                                                   its lanes pass
//           void WEFT_OP(workgroup_scan_rows)(inout T x[WEFT_ROWS], out T total)   with WEFT_ROWS: in the order of
//                   subgroup, row and lane, in which weft/workgroup/tile.glsl loads a tile
// Macros:   those of weft/thread/operator.glsl, which is included before; WEFT_ROWS, optional, the rows of a tile
// Usage:    layout(local_size_x = 256) in;
//           ...
//           uint total;
//           uint before = sum_workgroup_exclusive_scan(x, total);
//
// All invocations of the workgroup call them together. Two barriers; workgroup memory of one T for each subgroup.
// Include this file once for each operator.

#include "weft/subgroup/reduce_scan.glsl"
#include "weft/workgroup/subgroups.glsl"

shared T WEFT_OP(scan_parts)[WEFT_MAX_SUBGROUPS];

T WEFT_OP(workgroup_scan_parts)(T part, out T total) {
  if (gl_SubgroupInvocationID == 0u) WEFT_OP(scan_parts)[gl_SubgroupID] = part;
  barrier();
  // Each subgroup scans all parts itself, a subgroup's width at a time: cheaper than sharing the result of one.
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

#ifdef WEFT_ROWS
void WEFT_OP(workgroup_scan_rows)(inout T x[WEFT_ROWS], out T total) {
  T part = WEFT_OP(identity)();
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    T row_total;
    x[row] = WEFT_OP(combine)(part, WEFT_OP(subgroup_exclusive_scan)(x[row], row_total));
    part = WEFT_OP(combine)(part, row_total);
  }
  T before = WEFT_OP(workgroup_scan_parts)(part, total);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) x[row] = WEFT_OP(combine)(before, x[row]);
}
#endif
