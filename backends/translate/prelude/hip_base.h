// The ground that the rest of the prelude stands on: HIP C++, compiled by hipRTC or hipcc.
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

#define WEFT_FN static __device__ __forceinline__
#define WEFT_MEMBER __device__ __forceinline__
#define WEFT_COPY __builtin_memcpy
#define WEFT_WARP uint32_t(__AMDGCN_WAVEFRONT_SIZE)
#define WEFT_IN_GLOBAL(p)
#define WEFT_PARAMETER
#define WEFT_KEEP_LOOP _Pragma("nounroll")
#define WEFT_UNROLL _Pragma("unroll")
#define WEFT_HIP 1

#define WEFT_PRECISE_ADD(a, b) __fadd_rn(a, b)
#define WEFT_PRECISE_ADD_DOUBLE(a, b) __dadd_rn(a, b)
#define WEFT_PRECISE_MUL(a, b) __fmul_rn(a, b)
#define WEFT_PRECISE_MUL_DOUBLE(a, b) __dmul_rn(a, b)
