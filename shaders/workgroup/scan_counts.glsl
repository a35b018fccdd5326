// Sums of counts over a workgroup and over a tile's rows: weft/workgroup/scan.glsl for uint and +.
//
// Gives:    uint weft_count_workgroup_exclusive_scan(uint x, out uint total)
//           void weft_count_workgroup_scan_rows(inout uint x[WEFT_ROWS], out uint total), with WEFT_ROWS
//           and the functions that these use
// Macros:   WEFT_ROWS   optional: rows of a tile
// Usage:    #include "weft/workgroup/scan_counts.glsl"   // before T and WEFT_OP are defined
//           ...
//           uint total;
//           uint before = weft_count_workgroup_exclusive_scan(wanted, total);
#ifndef WEFT_WORKGROUP_SCAN_COUNTS
#define WEFT_WORKGROUP_SCAN_COUNTS

#define T uint
#define WEFT_OP(name) weft_count_##name
#define WEFT_COMBINE a + b
#define WEFT_IDENTITY 0u
#include "weft/thread/operator.glsl"

#include "weft/workgroup/scan.glsl"
#undef T
#undef WEFT_OP

#endif
