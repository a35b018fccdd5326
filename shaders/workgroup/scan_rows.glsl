// Prefix scan over a tile's rows: WEFT_ROWS values an invocation, in the order of subgroup, row and lane, which is the
// order in which weft/workgroup/tile.glsl loads a tile.
//
// Gives:    void WEFT_OP(workgroup_scan_rows)(inout T x[WEFT_ROWS], out T total)   exclusive, in place
// Macros:   those of weft/thread/operator.glsl, which is included before, and WEFT_ROWS
// Usage:    T before[WEFT_ROWS], total;
//           for (int row = 0; row < WEFT_ROWS; ++row) before[row] = weft_pack_reduce(x[row]);
//           weft_workgroup_scan_rows(before, total);
//
// All invocations of the workgroup call it together.
#ifndef WEFT_WORKGROUP_SCAN_ROWS
#define WEFT_WORKGROUP_SCAN_ROWS

#include "weft/workgroup/scan.glsl"

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
