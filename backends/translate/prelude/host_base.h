// The base of the prelude: the host's C++ compiler.
#include <stddef.h>
#include <stdint.h>

// The C library's functions. Reading <math.h> and <string.h> instead would take a sixth of a small kernel's compile.
#define WEFT_C_1(name)  \
  float name##f(float); \
  double name(double);
#define WEFT_C_2(name)         \
  float name##f(float, float); \
  double name(double, double);
extern "C" {
void* memcpy(void*, const void*, size_t);
WEFT_C_1(acos)
WEFT_C_1(acosh)
WEFT_C_1(asin)
WEFT_C_1(asinh)
WEFT_C_1(atan)
WEFT_C_1(atanh)
WEFT_C_1(ceil)
WEFT_C_1(cos)
WEFT_C_1(cosh)
WEFT_C_1(exp)
WEFT_C_1(exp2)
WEFT_C_1(fabs)
WEFT_C_1(floor)
WEFT_C_1(log)
WEFT_C_1(log2)
WEFT_C_1(rint)
WEFT_C_1(sin)
WEFT_C_1(sinh)
WEFT_C_1(sqrt)
WEFT_C_1(tan)
WEFT_C_1(tanh)
WEFT_C_1(trunc)
WEFT_C_2(atan2)
WEFT_C_2(fmax)
WEFT_C_2(fmin)
WEFT_C_2(fmod)
WEFT_C_2(pow)
// powf() by a name that compilers do not know: where they see that y is 2, they would make it x * x, in lanes or in
// fibers.
float weft_host_pow(float, float) __asm__("powf");
float fmaf(float, float, float);
double fma(double, double, double);
float frexpf(float, int*);
double frexp(double, int*);
float ldexpf(float, int);
double ldexp(double, int);
}

#define WEFT_ALWAYS_INLINE __attribute__((always_inline))
// Values of lanes in vectors are passed in registers only where functions are inlined.
#if WEFT_IN_VECTORS
#define WEFT_FN WEFT_ALWAYS_INLINE static inline
#define WEFT_MEMBER WEFT_ALWAYS_INLINE inline
#define WEFT_UNROLL _Pragma("GCC unroll 16")
#else
#define WEFT_FN static inline
#define WEFT_MEMBER inline
#define WEFT_UNROLL
#endif
#define WEFT_COPY memcpy
#define WEFT_EXP weft_host_exp
#define WEFT_LOG weft_host_log
#define WEFT_POW weft_host_pow
#define WEFT_KEEP_LOOP
#define WEFT_HOST 1
// In C++, compilers may assume that a loop without effects terminates; not so in SPIR-V. -fno-finite-loops forbids
// that, and leaves loops to be made vectors of, which an effect in each would not.
#define WEFT_MAY_NOT_END()
#define WEFT_BIT_COUNT(x) __builtin_popcount(x)
#define WEFT_BIT_COUNT_64(x) __builtin_popcountll(x)
#define WEFT_LEADING_ZEROS(x) __builtin_clz(x)  // x must not be 0
#define WEFT_LEADING_ZEROS_64(x) __builtin_clzll(x)

// -ffp-contract=off disables contraction, so plain operations are precise.
#define WEFT_PRECISE_ADD(a, b) ((a) + (b))
#define WEFT_PRECISE_ADD_DOUBLE(a, b) ((a) + (b))
#define WEFT_PRECISE_MUL(a, b) ((a) * (b))
#define WEFT_PRECISE_MUL_DOUBLE(a, b) ((a) * (b))
