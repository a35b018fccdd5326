// An associative operator, for the files that scan and reduce. Include it once for each operator of a shader.
//
// Gives:    T WEFT_OP(combine)(T a, T b)   a is the earlier operand, b the later
//           T WEFT_OP(identity)()
//           T WEFT_OP(nothing)()   what no elements combine to
//           weft_lower(), weft_upper() of weft/thread/extremes.glsl, for expressions
// Macros:   T              the element type, with weft_to_words() and weft_from_words()
//           WEFT_COMBINE   expression of a and b
//           WEFT_IDENTITY  expression e with combine(e, x) == x
//           WEFT_NOTHING   optional: an expression for nothing(); the identity without it. Weft's kernels look for
//                          WEFT_NOTHING_DIFFERS, which is defined with it
//           WEFT_FIXED_ORDER   optional: nothing in combine() is contracted with the code around it
//           WEFT_OP(name)  optional: the names of this operator's functions; weft_##name without it
// Usage:    #define T float
//           #define WEFT_OP(name) peak_##name
//           #define WEFT_COMBINE weft_upper(a, b)
//           #define WEFT_IDENTITY 0.0
//           #include "weft/thread/operator.glsl"
//           #include "weft/subgroup/reduce_scan.glsl"   // peak_subgroup_reduce()
//           #include "weft/workgroup/scan.glsl"         // peak_workgroup_exclusive_scan()
//
// Then #undef T and WEFT_OP, define the next operator and include this file again, and once more each file that the
// next operator needs.

#include "weft/thread/extremes.glsl"
#include "weft/thread/words.glsl"

#ifndef WEFT_OP
#define WEFT_OP(name) weft_##name
#endif

#ifdef WEFT_FIXED_ORDER
T WEFT_OP(combine)(T a, T b) {
  precise T result = WEFT_COMBINE;
  return result;
}
#else
T WEFT_OP(combine)(T a, T b) { return WEFT_COMBINE; }
#endif
T WEFT_OP(identity)() { return WEFT_IDENTITY; }
#ifdef WEFT_NOTHING
T WEFT_OP(nothing)() { return WEFT_NOTHING; }
#undef WEFT_NOTHING
#else
T WEFT_OP(nothing)() { return WEFT_OP(identity)(); }
#endif
#undef WEFT_COMBINE
#undef WEFT_IDENTITY

#undef WEFT_NEW_OPERATOR
#define WEFT_NEW_OPERATOR  // weft/subgroup/reduce_scan.glsl has yet to be included for it.
