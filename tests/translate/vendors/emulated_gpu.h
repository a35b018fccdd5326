// Stands before the C++ that the translator writes for CUDA or HIP and lets the host's compiler take it: the built-in
// names that the preludes use, with the lanes of a workgroup as fibers that run one after the other. Operations of a
// warp wait until every lane that their mask names has come to the same operation with the same mask; that this never
// happens is an error, where a GPU would hang or give what it likes.
//
// AMD's operations take no mask but act on the lanes that are there; here they are those that `mask` names, a parameter
// of each of the prelude's functions that use them.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

namespace emulated {

constexpr uint32_t warp = WEFT_EMULATED_WARP;
struct Dim3 {
  uint32_t x, y, z;
};

struct Lane {
  ucontext_t context;
  Dim3 thread;
  uint32_t index = 0;
  bool done = false, waits = false, at_barrier = false;
  // What it came to a warp's operation with, and what the operation gave it.
  uint64_t mask = 0;
  int operation = 0;
  uint32_t word = 0;
  uint32_t words[64];
};

inline ucontext_t scheduler;
inline Lane lanes[1024];
inline uint32_t lane_count = 0;
inline Lane* current = nullptr;
inline Dim3 grid, block;
inline const char* problem = nullptr;

inline void yield() { swapcontext(&current->context, &scheduler); }

[[noreturn]] inline void stop(const char* why) {
  problem = why;
  while (true) yield();
}

// The words that the lanes of `mask` came with.
inline const uint32_t* meet(uint64_t mask, int operation, uint32_t word) {
  Lane& self = *current;
  const uint32_t first = self.index / warp * warp;
  if (!(mask >> (self.index - first) & 1)) stop("a lane takes part in an operation whose mask lacks it");
  self.mask = mask;
  self.operation = operation;
  self.word = word;
  self.waits = true;
  for (uint32_t l = 0; l < warp; ++l) {
    if (!(mask >> l & 1)) continue;
    if (first + l >= lane_count) stop("a mask names a lane that there is not");
    const Lane& other = lanes[first + l];
    if (other.waits && other.mask == mask && other.operation == operation) continue;
    while (self.waits) yield();
    return self.words;
  }
  for (uint32_t l = 0; l < warp; ++l) {  // the last one to come serves all
    if (!(mask >> l & 1)) continue;
    Lane& other = lanes[first + l];
    for (uint32_t k = 0; k < warp; ++k) other.words[k] = mask >> k & 1 ? lanes[first + k].word : 0xdeadbeefu;
    other.waits = false;
  }
  return self.words;
}
inline uint64_t ballot(uint64_t mask, int operation, bool vote) {
  const uint32_t* votes = meet(mask, operation, vote);
  uint64_t result = 0;
  for (uint32_t l = 0; l < warp; ++l) result |= uint64_t(mask >> l & 1 && votes[l]) << l;
  return result;
}
template <class Combine>
inline uint32_t reduce(uint64_t mask, int operation, uint32_t word, Combine combine) {
  const uint32_t* words = meet(mask, operation, word);
  uint32_t at = uint32_t(__builtin_ctzll(mask)), result = words[at];
  while (++at < warp) result = mask >> at & 1 ? combine(result, words[at]) : result;
  return result;
}
inline void barrier() {
  current->at_barrier = true;
  while (current->at_barrier) yield();
}

}  // namespace emulated

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static
#define threadIdx emulated::current->thread
#define blockIdx emulated::block
#define gridDim emulated::grid
#define __syncthreads() emulated::barrier()
struct uint2 {
  uint32_t x, y;
};
struct uint4 {
  uint32_t x, y, z, w;
};

#define WEFT_EMULATED_ATOMIC(name, after)    \
  template <class T>                         \
  static inline T name(T* p, T v) {          \
    const T before = *p;                     \
    *p = after;                              \
    return before;                           \
  }                                          \
  template <class T>                         \
  static inline T name##_block(T* p, T v) {  \
    return name(p, v);                       \
  }                                          \
  template <class T>                         \
  static inline T name##_system(T* p, T v) { \
    return name(p, v);                       \
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
  const T before = *p;
  if (before == expected) *p = v;
  return before;
}
#define atomicCAS_block atomicCAS
#define atomicCAS_system atomicCAS

// CUDA.
#define __CUDA_ARCH__ 900
#define __builtin_assume(condition)
#define __trap() emulated::stop("unreachable code is reached")
#define __shfl_sync(mask, word, lane, width) emulated::meet(mask, 1, word)[lane]
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
static inline uint32_t __ffs(uint32_t x) { return uint32_t(__builtin_ffs(int(x))); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline double __dmul_rn(double a, double b) { return a * b; }

// HIP.
#define __AMDGCN_WAVEFRONT_SIZE WEFT_EMULATED_WARP
#define __shfl(word, lane) int(emulated::meet(mask, 1, uint32_t(word))[lane])
#define __ballot(vote) emulated::ballot(mask, 2, vote)
#define __builtin_amdgcn_fence(order, scope)
#define __builtin_amdgcn_wave_barrier() emulated::meet(mask, 5, 0)
#define __HIP_MEMORY_SCOPE_SYSTEM 0
#define __HIP_MEMORY_SCOPE_AGENT 0
#define __HIP_MEMORY_SCOPE_WORKGROUP 0
#define __hip_atomic_load(p, order, scope) (*(p))
#define __hip_atomic_store(p, value, order, scope) ((void)(*(p) = (value)))
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
