// Prepended to the translator's C++ for HIP, so that clang compiles it without AMD's headers and device libraries.
// Defines the names of hipRTC that the preludes use, as HIP 5.2 does.
#define __HIPCC_RTC__ 1
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(threads) __attribute__((amdgpu_flat_work_group_size(1, threads)))

#define WEFT_HIP_INDEX(axis) __builtin_amdgcn_workitem_id_##axis()
#define threadIdx (hip_for_clang::Index{WEFT_HIP_INDEX(x), WEFT_HIP_INDEX(y), WEFT_HIP_INDEX(z)})
struct alignas(16) uint4 {
  unsigned int x, y, z, w;
};
namespace hip_for_clang {
struct Index {
  unsigned int x, y, z;
};
}  // namespace hip_for_clang

__device__ static __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ static __forceinline__ unsigned long long __ballot(int vote) {
#if __AMDGCN_WAVEFRONT_SIZE == 64
  return __builtin_amdgcn_ballot_w64(vote != 0);
#else
  return __builtin_amdgcn_ballot_w32(vote != 0);
#endif
}
__device__ static __forceinline__ int __shfl(int word, int lane) {
  const int self = int(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
  const int from = (lane & (__AMDGCN_WAVEFRONT_SIZE - 1)) + (self & ~(__AMDGCN_WAVEFRONT_SIZE - 1));
  return __builtin_amdgcn_ds_bpermute(from << 2, word);
}
__device__ static __forceinline__ int __ffsll(unsigned long long x) { return __builtin_ffsll((long long)x); }

// Functions of <math.h>. The compiler turns some into instructions. A kernel that calls one of the others needs AMD's
// libraries, and does not work with this header.
#define WEFT_HIP_MATH(name, parameters_of)                  \
  extern "C" __device__ double name(parameters_of(double)); \
  extern "C" __device__ float name##f(parameters_of(float));
#define WEFT_ONE(T) T
#define WEFT_TWO(T) T, T
#define WEFT_THREE(T) T, T, T
#define WEFT_AND_INT(T) T, int
#define WEFT_AND_RESULT(T) T, int*
extern "C" __device__ inline double fabs(double x) { return __builtin_fabs(x); }
extern "C" __device__ inline float fabsf(float x) { return __builtin_fabsf(x); }
extern "C" __device__ inline double floor(double x) { return __builtin_floor(x); }
extern "C" __device__ inline float floorf(float x) { return __builtin_floorf(x); }
extern "C" __device__ inline double sqrt(double x) { return __builtin_sqrt(x); }
extern "C" __device__ inline float sqrtf(float x) { return __builtin_sqrtf(x); }
WEFT_HIP_MATH(ceil, WEFT_ONE)
WEFT_HIP_MATH(trunc, WEFT_ONE)
WEFT_HIP_MATH(rint, WEFT_ONE)
WEFT_HIP_MATH(sin, WEFT_ONE)
WEFT_HIP_MATH(cos, WEFT_ONE)
WEFT_HIP_MATH(tan, WEFT_ONE)
WEFT_HIP_MATH(asin, WEFT_ONE)
WEFT_HIP_MATH(acos, WEFT_ONE)
WEFT_HIP_MATH(atan, WEFT_ONE)
WEFT_HIP_MATH(sinh, WEFT_ONE)
WEFT_HIP_MATH(cosh, WEFT_ONE)
WEFT_HIP_MATH(tanh, WEFT_ONE)
WEFT_HIP_MATH(asinh, WEFT_ONE)
WEFT_HIP_MATH(acosh, WEFT_ONE)
WEFT_HIP_MATH(atanh, WEFT_ONE)
WEFT_HIP_MATH(exp, WEFT_ONE)
WEFT_HIP_MATH(log, WEFT_ONE)
WEFT_HIP_MATH(exp2, WEFT_ONE)
WEFT_HIP_MATH(log2, WEFT_ONE)
WEFT_HIP_MATH(atan2, WEFT_TWO)
WEFT_HIP_MATH(pow, WEFT_TWO)
WEFT_HIP_MATH(fmod, WEFT_TWO)
WEFT_HIP_MATH(fmin, WEFT_TWO)
WEFT_HIP_MATH(fmax, WEFT_TWO)
WEFT_HIP_MATH(fma, WEFT_THREE)
WEFT_HIP_MATH(ldexp, WEFT_AND_INT)
WEFT_HIP_MATH(frexp, WEFT_AND_RESULT)
