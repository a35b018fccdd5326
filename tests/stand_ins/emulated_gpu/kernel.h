// Prepended, after abi.h, to the C++ that the translator writes for CUDA or HIP, so that the host's compiler accepts
// it: defines the built-in names that the preludes use. The lanes of a workgroup run one after the other. A warp
// operation waits until every lane in its mask has reached the same operation with the same mask. If that never happens
// it is an error; a GPU would hang or return anything.
//
// AMD's operations take no mask and act on the active lanes. Here these are the lanes of `mask`, a parameter of each of
// the prelude's functions that use such operations. So is `lane`, for shuffles by a distance.
#include <math.h>
#include <stdlib.h>
#include <string.h>

namespace emulated {

static LaneState lane_state;

static inline const uint32_t* meet(uint64_t mask, int operation, uint32_t word) {
  return lane_state.meet(lane_state.workgroup, mask, operation, word);
}
static inline uint64_t ballot(uint64_t mask, int operation, bool vote) {
  const uint32_t* votes = meet(mask, operation, vote);
  uint64_t result = 0;
  for (uint32_t l = 0; l < WEFT_EMULATED_WARP; ++l) result |= uint64_t(mask >> l & 1 && votes[l]) << l;
  return result;
}
template <class T>
static inline volatile T* in_memory(T* p) {
  return p;
}
template <class Combine>
static inline uint32_t reduce(uint64_t mask, int operation, uint32_t word, Combine combine) {
  const uint32_t* words = meet(mask, operation, word);
  uint32_t at = uint32_t(__builtin_ctzll(mask)), result = words[at];
  while (++at < WEFT_EMULATED_WARP) result = mask >> at & 1 ? combine(result, words[at]) : result;
  return result;
}

}  // namespace emulated

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static
#define threadIdx emulated::lane_state.thread
#define blockIdx emulated::lane_state.block
#define gridDim emulated::lane_state.grid
#define __syncthreads() emulated::lane_state.barrier(emulated::lane_state.workgroup)
#define __builtin_amdgcn_workgroup_id_x() blockIdx.x
#define __builtin_amdgcn_workgroup_id_y() blockIdx.y
#define __builtin_amdgcn_workgroup_id_z() blockIdx.z
#define __builtin_amdgcn_grid_size_x() (gridDim.x * WEFT_WORKGROUP_SIZE_X)
#define __builtin_amdgcn_grid_size_y() (gridDim.y * WEFT_WORKGROUP_SIZE_Y)
#define __builtin_amdgcn_grid_size_z() (gridDim.z * WEFT_WORKGROUP_SIZE_Z)
struct uint2 {
  uint32_t x, y;
};
struct uint4 {
  uint32_t x, y, z, w;
};

// Kernels of several streams may run at once.
#define WEFT_EMULATED_ATOMIC(name, after)                                                                \
  template <class T>                                                                                     \
  static inline T name(T* p, T v) {                                                                      \
    T before = *p, changed;                                                                              \
    do changed = after;                                                                                  \
    while (!__atomic_compare_exchange(p, &before, &changed, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)); \
    return before;                                                                                       \
  }                                                                                                      \
  template <class T>                                                                                     \
  static inline T name##_block(T* p, T v) {                                                              \
    return name(p, v);                                                                                   \
  }                                                                                                      \
  template <class T>                                                                                     \
  static inline T name##_system(T* p, T v) {                                                             \
    return name(p, v);                                                                                   \
  }
WEFT_EMULATED_ATOMIC(atomicExch, v)
WEFT_EMULATED_ATOMIC(atomicAdd, before + v)
WEFT_EMULATED_ATOMIC(atomicAnd, before& v)
WEFT_EMULATED_ATOMIC(atomicOr, before | v)
WEFT_EMULATED_ATOMIC(atomicXor, before ^ v)
WEFT_EMULATED_ATOMIC(atomicMin, before < v ? before : v)
WEFT_EMULATED_ATOMIC(atomicMax, before > v ? before : v)
template <class T>
static inline T atomicCAS(T* p, T expected, T v) {
  __atomic_compare_exchange(p, &expected, &v, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}
#define atomicCAS_block atomicCAS
#define atomicCAS_system atomicCAS

// CUDA.
#define __threadfence() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define __threadfence_block() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define __threadfence_system() __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define __builtin_assume(condition)
#define __trap() emulated::lane_state.stop(emulated::lane_state.workgroup, "unreachable code was reached")
#define __shfl_sync(mask, word, lane, width) emulated::meet(mask, 1, word)[lane]
#define __shfl_up_sync(mask, word, delta, width) emulated::meet(mask, 1, word)[(lane - (delta)) % WEFT_EMULATED_WARP]
#define __shfl_down_sync(mask, word, delta, width) emulated::meet(mask, 1, word)[(lane + (delta)) % WEFT_EMULATED_WARP]
#define __shfl_xor_sync(mask, word, bits, width) emulated::meet(mask, 1, word)[(lane ^ (bits)) % WEFT_EMULATED_WARP]
#define __ballot_sync(mask, vote) uint32_t(emulated::ballot(mask, 2, vote))
#define __any_sync(mask, vote) (emulated::ballot(mask, 3, vote) != 0)
#define __all_sync(mask, vote) (emulated::ballot(mask, 4, !(vote)) == 0)
#define __syncwarp(mask) emulated::meet(mask, 5, 0)
#define __reduce_add_sync(mask, x) emulated::reduce(mask, 6, x, [](uint32_t a, uint32_t b) { return a + b; })
#define __reduce_and_sync(mask, x) emulated::reduce(mask, 7, x, [](uint32_t a, uint32_t b) { return a & b; })
#define __reduce_or_sync(mask, x) emulated::reduce(mask, 8, x, [](uint32_t a, uint32_t b) { return a | b; })
#define __reduce_xor_sync(mask, x) emulated::reduce(mask, 9, x, [](uint32_t a, uint32_t b) { return a ^ b; })
#define __reduce_min_sync(mask, x) emulated::reduce(mask, 10, x, [](uint32_t a, uint32_t b) { return a < b ? a : b; })
#define __reduce_max_sync(mask, x) emulated::reduce(mask, 11, x, [](uint32_t a, uint32_t b) { return a > b ? a : b; })
#define __popc __builtin_popcount
#define __popcll __builtin_popcountll
#define __clz __builtin_clz
#define __clzll __builtin_clzll
static inline uint32_t __ffs(uint32_t x) { return uint32_t(__builtin_ffs(int(x))); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline double __dmul_rn(double a, double b) { return a * b; }

// HIP.
#define __AMDGCN_WAVEFRONT_SIZE WEFT_EMULATED_WARP
#define __shfl(word, lane) int(emulated::meet(mask, 1, uint32_t(word))[lane])
#define __ballot(vote) emulated::ballot(mask, 2, vote)
#define __builtin_amdgcn_fence(order, scope) __atomic_thread_fence(__ATOMIC_ACQ_REL)
#define __builtin_amdgcn_wave_barrier() emulated::meet(mask, 5, 0)
#define __HIP_MEMORY_SCOPE_SYSTEM 0
#define __HIP_MEMORY_SCOPE_AGENT 0
#define __HIP_MEMORY_SCOPE_WORKGROUP 0
#define __hip_atomic_load(p, order, scope) (*emulated::in_memory(p))
#define __hip_atomic_store(p, value, order, scope) ((void)(*emulated::in_memory(p) = (value)))
#define __hip_atomic_exchange(p, value, order, scope) atomicExch(p, value)
#define __hip_atomic_fetch_add(p, value, order, scope) atomicAdd(p, value)
#define __hip_atomic_fetch_and(p, value, order, scope) atomicAnd(p, value)
#define __hip_atomic_fetch_or(p, value, order, scope) atomicOr(p, value)
#define __hip_atomic_fetch_xor(p, value, order, scope) atomicXor(p, value)
#define __hip_atomic_fetch_min(p, value, order, scope) atomicMin(p, value)
#define __hip_atomic_fetch_max(p, value, order, scope) atomicMax(p, value)
#define __hip_atomic_compare_exchange_strong(p, expected, value, success, failure, scope) \
  (void)(*(expected) = atomicCAS(p, *(expected), value))
static inline uint32_t __ffsll(unsigned long long x) { return uint32_t(__builtin_ffsll((long long)(x))); }
