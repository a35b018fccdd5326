// The base of the prelude: CUDA C++, compiled by NVRTC or nvcc for sm_70 and later.
// A kernel uses only a part of the prelude, and of its source's variables.
#pragma nv_diag_suppress 174, 177, 550
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#define WEFT_EXP expf
#define WEFT_LOG logf
#define WEFT_POW powf
#define WEFT_FN static __device__ __forceinline__
#define WEFT_MEMBER __device__ __forceinline__
#define WEFT_COPY memcpy
#define WEFT_WARP 32u
#define WEFT_PARAMETER __grid_constant__
#define WEFT_KEEP_LOOP _Pragma("unroll 1")
#define WEFT_UNROLL _Pragma("unroll")
#define WEFT_CUDA 1
// In C++, compilers may assume that a loop without effects terminates; not so in SPIR-V. NVRTC makes use of that from
// sm_100 on, where it uses another LLVM.
#if __CUDA_ARCH__ >= 1000
#define WEFT_MAY_NOT_END() asm volatile("")
#else
#define WEFT_MAY_NOT_END()
#endif
#define WEFT_BIT_COUNT(x) __popc(x)
#define WEFT_BIT_COUNT_64(x) __popcll(x)
#define WEFT_LEADING_ZEROS(x) __clz(x)
#define WEFT_LEADING_ZEROS_64(x) __clzll(x)

#define WEFT_GROUP_ID(axis) blockIdx.axis
#define WEFT_GROUP_COUNT(axis, size) gridDim.axis

typedef uint2 weft_two_words;
typedef uint4 weft_four_words;

#define WEFT_PRECISE_ADD(a, b) __fadd_rn(a, b)
#define WEFT_PRECISE_ADD_DOUBLE(a, b) __dadd_rn(a, b)
#define WEFT_PRECISE_MUL(a, b) __fmul_rn(a, b)
#define WEFT_PRECISE_MUL_DOUBLE(a, b) __dmul_rn(a, b)

// NVVM propagates assumptions about an address to its uses only through arithmetic, so there must be some.
WEFT_FN unsigned char* weft_place(unsigned char* p) {
  uint64_t zero;
  asm("mov.u64 %0, 0;" : "=l"(zero));
  return p + zero;
}
// The same address, known to be in global memory.
template <class T>
WEFT_FN T* weft_in_buffer(T* p) {
  __builtin_assume(__isGlobal(p));
  return p;
}

// From sm_90 on, the backend lets a kernel start while earlier ones of its stream still run, and their results are
// complete behind this. (CUDA's programmatic dependent launch.)
#if __CUDA_ARCH__ >= 900
#define WEFT_AWAIT_EARLIER_LAUNCHES() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define WEFT_AWAIT_EARLIER_LAUNCHES()
#endif

// Blocks per multiprocessor, unless the kernel specifies it: the number that leaves 128 registers to each thread. By
// default, ptxas uses fewer registers and spills.
#define WEFT_RESIDENT(threads)                             \
  (WEFT_RESIDENT_WORKGROUPS > 0 ? WEFT_RESIDENT_WORKGROUPS \
   : (threads) <= 64            ? 8                        \
   : (threads) < 512            ? 512 / (threads)          \
                                : 1)
#define WEFT_LAUNCH_BOUNDS(threads) __launch_bounds__(threads, WEFT_RESIDENT(threads))
// Spills registers to shared memory, if any is left.
#if WEFT_RESIDENT_WORKGROUPS > 0 && WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES == 0 && __CUDACC_VER_MAJOR__ >= 13
#define WEFT_SAVE_REGISTERS() asm volatile(".pragma \"enable_smem_spilling\";")
#else
#define WEFT_SAVE_REGISTERS()
#endif
