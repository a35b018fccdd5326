// The base of the prelude: HIP C++, compiled by hipRTC or hipcc.
#define WEFT_EXP expf
#define WEFT_LOG logf
#define WEFT_POW powf
#define WEFT_FN static __device__ __forceinline__
#define WEFT_MEMBER __device__ __forceinline__
#define WEFT_COPY __builtin_memcpy
#define WEFT_UNROLL _Pragma("unroll")
#define WEFT_HIP 1
// In C++, compilers may assume that a loop without effects terminates; not so in SPIR-V. -fno-finite-loops forbids
// that, at a cost of fewer registers than an effect in each loop.
#define WEFT_MAY_NOT_END()

// Supported by AMD's compilers only. Tests that run HIP's kernels on another GPU replace it.
#ifndef WEFT_HIP_STAND_IN
// SPIR-V may compare a value with itself.
#pragma clang diagnostic ignored "-Wtautological-compare"
#ifndef __HIPCC_RTC__
#include <hip/hip_runtime.h>
#include <stdint.h>
#else
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#endif

// Compilers after clang 21 lack the first and have the others.
#if defined(__AMDGCN_WAVEFRONT_SIZE)
#define WEFT_WARP uint32_t(__AMDGCN_WAVEFRONT_SIZE)
#elif defined(__GFX7__) || defined(__GFX8__) || defined(__GFX9__)
#define WEFT_WARP 64u
#else
#define WEFT_WARP 32u
#endif
#define WEFT_PARAMETER
#define WEFT_KEEP_LOOP _Pragma("nounroll")
#define WEFT_GLOBAL __attribute__((address_space(1)))
#define WEFT_BIT_COUNT(x) __builtin_popcount(x)
#define WEFT_BIT_COUNT_64(x) __builtin_popcountll(x)
#define WEFT_LEADING_ZEROS(x) __builtin_clz(x)  // x must not be 0
#define WEFT_LEADING_ZEROS_64(x) __builtin_clzll(x)

// HIP's blockIdx and gridDim are functions of AMD's device library, which LLVM does not inline into kernels of more
// than 1100 basic blocks. The size of a grid is in invocations.
#define WEFT_GROUP_ID(axis) uint32_t(__builtin_amdgcn_workgroup_id_##axis())
#define WEFT_GROUP_COUNT(axis, size) uint32_t(__builtin_amdgcn_grid_size_##axis() / (size))

typedef uint32_t weft_two_words __attribute__((ext_vector_type(2)));
typedef uint32_t weft_four_words __attribute__((ext_vector_type(4)));

// The lanes of a wavefront run in lockstep, so these act on the lanes that reach them. On a GPU without lockstep,
// `mask` holds the lanes to wait for.
#define WEFT_HIP_BALLOT(mask, vote) __ballot(vote)
#define WEFT_HIP_SHUFFLE(mask, word, lane) __shfl(int(word), int(lane))
#define WEFT_HIP_MEET(mask) __builtin_amdgcn_wave_barrier()

// HIP's __fadd_rn() and the like may be contracted with others.
template <class T>
WEFT_FN T weft_lone_sum(T a, T b) {
#pragma clang fp contract(off)
  return a + b;
}
template <class T>
WEFT_FN T weft_lone_product(T a, T b) {
#pragma clang fp contract(off)
  return a * b;
}
#endif
#define WEFT_PRECISE_ADD(a, b) weft_lone_sum(a, b)
#define WEFT_PRECISE_ADD_DOUBLE(a, b) weft_lone_sum(a, b)
#define WEFT_PRECISE_MUL(a, b) weft_lone_product(a, b)
#define WEFT_PRECISE_MUL_DOUBLE(a, b) weft_lone_product(a, b)

WEFT_FN unsigned char* weft_place(unsigned char* p) { return p; }
// The same address, known to be in global memory.
template <class T>
WEFT_FN WEFT_GLOBAL T* weft_in_buffer(T* p) {
  return (WEFT_GLOBAL T*)p;
}
// The object at an address.
template <class U, class T>
WEFT_FN WEFT_GLOBAL U* weft_units_at(WEFT_GLOBAL T* p) {
  return (WEFT_GLOBAL U*)p;
}

#define WEFT_LAUNCH_BOUNDS(threads) __launch_bounds__(threads)
#define WEFT_SAVE_REGISTERS()
#define WEFT_AWAIT_EARLIER_LAUNCHES()
