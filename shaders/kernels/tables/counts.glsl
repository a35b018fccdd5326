// How often each result occurs, as words of 64 or 32 bits in device memory.
//
// Gives:    uvec3 weft_one(uint result)   1 for that result, 0 for the others
//           void weft_add_results(uvec2 memory, uint options, uvec3 results)
//                   adds up those of all invocations, which call it together; nothing without memory
// Macros:   WEFT_INT64_ATOMICS   define it if the device has 64-bit atomics on buffers; without it, counts stay below
//                                2^32
#ifndef WEFT_KERNELS_COUNTS
#define WEFT_KERNELS_COUNTS

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_arithmetic : require

#include "weft/kernels/base/options.glsl"
#include "weft/thread/memory.glsl"

#ifdef WEFT_INT64_ATOMICS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer WeftResults { uint64_t count[]; };
#endif

uvec3 weft_one(uint result) { return uvec3(equal(uvec3(result), uvec3(0u, 1u, 2u))); }

void weft_add_result(uvec2 memory, bool are_words, uint result, uint number) {
  if (number == 0u) return;
#ifdef WEFT_INT64_ATOMICS
  if (!are_words) {
    WeftResults to = WeftResults(memory);
    atomicAdd(to.count[result], uint64_t(number));
    return;
  }
#endif
  WeftWords to = WeftWords(memory);
  atomicAdd(to.word[are_words ? result : 2u * result], number);
}

void weft_add_results(uvec2 memory, uint options, uvec3 results) {
  if (memory == uvec2(0u)) return;
  bool are_words = weft_has(options, weft_written_count_is_word);
  uvec3 sums = subgroupAdd(results);
  if (!subgroupElect()) return;
  weft_add_result(memory, are_words, 0u, sums.x);
  weft_add_result(memory, are_words, 1u, sums.y);
  weft_add_result(memory, are_words, 2u, sums.z);
}

#endif
