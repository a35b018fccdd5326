// The elements of a primitive, computed from one or two sources each.
//
// Gives:    T weft_transform(K x, K y, uint i, uint i_high)
// Macros:   T                    the element type
//           WEFT_TRANSFORM       GLSL expression of `x`, the source, and of its index: `i`, the low 32 bits, and
//                                `i_high`, the others. Sources are the keys of weft/thread/key.glsl
//           WEFT_TRANSFORM_TWO   optional: the expression also uses `y`, a second source
//           WEFT_FIXED_ORDER     optional: nothing in it is contracted with the code around it
#ifndef WEFT_THREAD_TRANSFORM
#define WEFT_THREAD_TRANSFORM

#include "weft/thread/key.glsl"

T weft_transform(K x, K y, uint i, uint i_high) {
#ifdef WEFT_FIXED_ORDER
  precise
#endif
  T result = WEFT_TRANSFORM;
  return result;
}

#endif
