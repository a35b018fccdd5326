// How often each result occurs, as 64-bit words in device memory.
//
// Gives:    uvec3 weft_one(uint result)   1 for that result, 0 for the others
//           void weft_add_results(uvec2 memory, uvec3 results)   adds up those of all invocations; all call it together
// Macros:   WEFT_INT64_ATOMICS   define it if the device has 64-bit atomics on buffers; without it, counts stay below
//                                2^32
#ifndef WEFT_KERNELS_COUNTS
#define WEFT_KERNELS_COUNTS

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "weft/thread/memory.glsl"

#ifdef WEFT_INT64_ATOMICS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftResults { uint64_t count[]; };
#define WEFT_ADD_RESULT(memory, i, n) atomicAdd(memory.count[i], uint64_t(n))
#else
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftResults { uint count[]; };
#define WEFT_ADD_RESULT(memory, i, n) atomicAdd(memory.count[2 * i], n)
#endif

uvec3 weft_one(uint result) { return uvec3(equal(uvec3(result), uvec3(0u, 1u, 2u))); }

void weft_add_results(uvec2 memory, uvec3 results) {
  WeftResults to = WeftResults(memory);
  uvec3 sums = subgroupAdd(results);
  if (subgroupElect()) {
    if (sums.x > 0u) WEFT_ADD_RESULT(to, 0, sums.x);
    if (sums.y > 0u) WEFT_ADD_RESULT(to, 1, sums.y);
    if (sums.z > 0u) WEFT_ADD_RESULT(to, 2, sums.z);
  }
}

#endif
