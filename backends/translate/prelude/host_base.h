// The base of the prelude: the host's C++ compiler.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define WEFT_FN static inline
#define WEFT_MEMBER inline
#define WEFT_COPY memcpy
#define WEFT_KEEP_LOOP
#define WEFT_UNROLL
#define WEFT_HOST 1
// In C++, compilers may assume that a loop without effects terminates; not so in SPIR-V.
#define WEFT_MAY_NOT_END() asm volatile("")
#define WEFT_BIT_COUNT(x) __builtin_popcount(x)
#define WEFT_BIT_COUNT_64(x) __builtin_popcountll(x)
#define WEFT_LEADING_ZEROS(x) __builtin_clz(x)  // x must not be 0
#define WEFT_LEADING_ZEROS_64(x) __builtin_clzll(x)

// -ffp-contract=off disables contraction, so plain operations are precise.
#define WEFT_PRECISE_ADD(a, b) ((a) + (b))
#define WEFT_PRECISE_ADD_DOUBLE(a, b) ((a) + (b))
#define WEFT_PRECISE_MUL(a, b) ((a) * (b))
#define WEFT_PRECISE_MUL_DOUBLE(a, b) ((a) * (b))
