// Sums of indices and of counts: the operator + on WeftIndex, for the files that scan and reduce.
//
// Gives:    T as WeftIndex, and WEFT_OP(name) as weft_index_##name, with the functions of weft/thread/operator.glsl and
//           weft/subgroup/reduce_scan.glsl
// Macros:   those of weft/thread/count.glsl
// Usage:    #include "weft/subgroup/index_sum.glsl"
//           #include "weft/workgroup/scan.glsl"   // weft_index_workgroup_exclusive_scan()
//           #undef T
//           #undef WEFT_OP
//
// Include it again for another such file of the same shader.
#include "weft/thread/count.glsl"

#define T WeftIndex
#define WEFT_OP(name) weft_index_##name
#ifndef WEFT_SUBGROUP_INDEX_SUM
#define WEFT_SUBGROUP_INDEX_SUM
#define WEFT_COMBINE weft_add(a, b)
#define WEFT_IDENTITY weft_index(0u)
#include "weft/thread/operator.glsl"

#include "weft/subgroup/reduce_scan.glsl"
#endif
