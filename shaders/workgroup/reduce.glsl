// Reduction over a workgroup, in the order of gl_SubgroupID and lane.
//
// Gives:    T WEFT_OP(workgroup_reduce)(T x)            every invocation gets the result
//           T WEFT_OP(workgroup_reduce_parts)(T part)   the same for one value of each subgroup, in all its lanes
// Macros:   those of weft/thread/operator.glsl, which is included before
// Usage:    layout(local_size_x = 256) in;
//           ...
//           float peak = peak_workgroup_reduce(x);
//
// All invocations of the workgroup call it together. Two barriers; workgroup memory of one T for each subgroup. Include
// this file once for each operator.

#include "weft/subgroup/reduce_scan.glsl"
#include "weft/workgroup/subgroups.glsl"

shared T WEFT_OP(reduce_parts)[WEFT_MAX_SUBGROUPS];

T WEFT_OP(workgroup_reduce_parts)(T part) {
  if (gl_SubgroupInvocationID == 0u) WEFT_OP(reduce_parts)[gl_SubgroupID] = part;
  barrier();
  // Each subgroup combines all parts itself, a subgroup's width at a time: cheaper than sharing the result of one.
  uint lanes = weft_lanes();
  T total = WEFT_OP(identity)();
  for (uint first = 0u; first < gl_NumSubgroups; first += lanes) {
    uint index = first + gl_SubgroupInvocationID;
    part = WEFT_OP(identity)();
    if (index < gl_NumSubgroups) part = WEFT_OP(reduce_parts)[index];
    total = WEFT_OP(combine)(total, WEFT_OP(subgroup_reduce)(part));
  }
  barrier();  // The next call writes the parts again.
  return total;
}

T WEFT_OP(workgroup_reduce)(T x) { return WEFT_OP(workgroup_reduce_parts)(WEFT_OP(subgroup_reduce)(x)); }
