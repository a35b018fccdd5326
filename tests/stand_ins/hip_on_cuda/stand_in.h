// Prepended to the C++ that the translator writes for HIP, so that NVRTC compiles it: defines AMD's built-in functions
// by CUDA's, preserving scopes and orders.
#define WEFT_HIP_STAND_IN 1

#ifdef __CUDACC_RTC__
#pragma nv_diag_suppress 174, 177, 550
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

#define WEFT_WARP 32u
#define WEFT_PARAMETER __grid_constant__
#define WEFT_KEEP_LOOP _Pragma("unroll 1")
#define WEFT_GLOBAL
#define WEFT_BIT_COUNT(x) __popc(x)
#define WEFT_BIT_COUNT_64(x) __popcll(x)
#define WEFT_LEADING_ZEROS(x) __clz(x)
#define WEFT_LEADING_ZEROS_64(x) __clzll(x)
#define WEFT_GROUP_ID(axis) blockIdx.axis
#define WEFT_GROUP_COUNT(axis, size) gridDim.axis
typedef uint2 weft_two_words;
typedef uint4 weft_four_words;
#define WEFT_VOLATILE_BYTES 4u

// NVIDIA's lanes may diverge: each of these functions waits for the lanes in the mask.
#define WEFT_HIP_BALLOT(mask, vote) uint64_t(__ballot_sync(uint32_t(mask), vote))
#define WEFT_HIP_SHUFFLE(mask, word, lane) __shfl_sync(uint32_t(mask), word, int(lane), 32)
#define WEFT_HIP_MEET(mask) __syncwarp(uint32_t(mask))

static __device__ __forceinline__ float weft_lone_sum(float a, float b) { return __fadd_rn(a, b); }
static __device__ __forceinline__ double weft_lone_sum(double a, double b) { return __dadd_rn(a, b); }
static __device__ __forceinline__ float weft_lone_product(float a, float b) { return __fmul_rn(a, b); }
static __device__ __forceinline__ double weft_lone_product(double a, double b) { return __dmul_rn(a, b); }

#define __builtin_memcpy memcpy
#define __builtin_trap() __trap()

// The values that AMD's compilers use.
#undef __ATOMIC_RELAXED
#undef __ATOMIC_ACQUIRE
#undef __ATOMIC_RELEASE
#undef __ATOMIC_ACQ_REL
#undef __HIP_MEMORY_SCOPE_WORKGROUP
#undef __HIP_MEMORY_SCOPE_AGENT
#undef __HIP_MEMORY_SCOPE_SYSTEM
#define __ATOMIC_RELAXED 0
#define __ATOMIC_ACQUIRE 2
#define __ATOMIC_RELEASE 3
#define __ATOMIC_ACQ_REL 4
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

namespace stand_in {

static __device__ __forceinline__ void fence(int scope) {
  if (scope == __HIP_MEMORY_SCOPE_SYSTEM)
    __threadfence_system();
  else if (scope == __HIP_MEMORY_SCOPE_AGENT)
    __threadfence();
  else
    __threadfence_block();
}
// CUDA's atomic operations are relaxed; fences around them provide the order.
static __device__ __forceinline__ void before(int order, int scope) {
  if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL) fence(scope);
}
static __device__ __forceinline__ void after(int order, int scope) {
  if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL) fence(scope);
}
// A volatile access to a scalar is relaxed, with system scope.
template <class T>
static __device__ __forceinline__ T load(const T* p, int order, int scope) {
  const T value = *(const volatile T*)p;
  after(order, scope);
  return value;
}
template <class T, class V>
static __device__ __forceinline__ void store(T* p, V value, int order, int scope) {
  before(order, scope);
  *(volatile T*)p = T(value);
}

// CUDA's functions take few types; others are passed as the bits of one of these.
template <class T, int bytes = sizeof(T)>
struct Bits {
  typedef unsigned int type;
};
template <class T>
struct Bits<T, 8> {
  typedef unsigned long long type;
};
template <class T>
struct Summand : Bits<T> {};
template <>
struct Summand<float> {
  typedef float type;
};
template <>
struct Summand<double> {
  typedef double type;
};
template <class T>
struct Itself {
  typedef T type;
};
template <class To, class From>
static __device__ __forceinline__ To same_bits(From from) {
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}
#define WEFT_STAND_IN(name, function, Taken)                                                                \
  template <class T, class V>                                                                               \
  static __device__ __forceinline__ T name(T* p, V value, int order, int scope) {                           \
    typedef typename Taken<T>::type B;                                                                      \
    before(order, scope);                                                                                   \
    B* const q = (B*)p;                                                                                     \
    const B v = same_bits<B>(T(value)), was = scope == __HIP_MEMORY_SCOPE_SYSTEM  ? function##_system(q, v) \
                                              : scope == __HIP_MEMORY_SCOPE_AGENT ? function(q, v)          \
                                                                                  : function##_block(q, v); \
    after(order, scope);                                                                                    \
    return same_bits<T>(was);                                                                               \
  }
WEFT_STAND_IN(exchange, atomicExch, Bits)
WEFT_STAND_IN(fetch_add, atomicAdd, Summand)
WEFT_STAND_IN(fetch_and, atomicAnd, Bits)
WEFT_STAND_IN(fetch_or, atomicOr, Bits)
WEFT_STAND_IN(fetch_xor, atomicXor, Bits)
WEFT_STAND_IN(fetch_min, atomicMin, Itself)
WEFT_STAND_IN(fetch_max, atomicMax, Itself)
template <class T>
static __device__ __forceinline__ bool compare_exchange(T* p, T* expected, T value, int order, int scope) {
  typedef typename Bits<T>::type B;
  before(order, scope);
  B* const q = (B*)p;
  const B e = same_bits<B>(*expected), v = same_bits<B>(value);
  const B was = scope == __HIP_MEMORY_SCOPE_SYSTEM  ? atomicCAS_system(q, e, v)
                : scope == __HIP_MEMORY_SCOPE_AGENT ? atomicCAS(q, e, v)
                                                    : atomicCAS_block(q, e, v);
  after(order, scope);
  *expected = same_bits<T>(was);
  return was == e;
}
static __device__ __forceinline__ int scope_named(const char* name) {
  return name[0] == 0     ? __HIP_MEMORY_SCOPE_SYSTEM
         : name[0] == 'a' ? __HIP_MEMORY_SCOPE_AGENT
                          : __HIP_MEMORY_SCOPE_WORKGROUP;
}

}  // namespace stand_in

#undef __builtin_amdgcn_fence
#undef __hip_atomic_load
#undef __hip_atomic_store
#undef __hip_atomic_exchange
#undef __hip_atomic_fetch_add
#undef __hip_atomic_fetch_and
#undef __hip_atomic_fetch_or
#undef __hip_atomic_fetch_xor
#undef __hip_atomic_fetch_min
#undef __hip_atomic_fetch_max
#undef __hip_atomic_compare_exchange_strong
#define __builtin_amdgcn_fence(order, scope) stand_in::fence(stand_in::scope_named(scope))
#define __hip_atomic_load stand_in::load
#define __hip_atomic_store stand_in::store
#define __hip_atomic_exchange stand_in::exchange
#define __hip_atomic_fetch_add stand_in::fetch_add
#define __hip_atomic_fetch_and stand_in::fetch_and
#define __hip_atomic_fetch_or stand_in::fetch_or
#define __hip_atomic_fetch_xor stand_in::fetch_xor
#define __hip_atomic_fetch_min stand_in::fetch_min
#define __hip_atomic_fetch_max stand_in::fetch_max
#define __hip_atomic_compare_exchange_strong(p, expected, value, success, failure, scope) \
  stand_in::compare_exchange(p, expected, value, success, scope)
