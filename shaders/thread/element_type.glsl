// The element type T of one of Weft's own kernels, from macros that the host sets.
//
// Gives:    T, and for structs weft_to_words() and weft_from_words()
// Macros:   T_WORDS           the element's size in 32-bit words
//           T_BYTES           optional: its size in memory if that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           WEFT_SCALAR       a scalar's type; or for a struct
//           WEFT_STRUCT_FIELDS      its members:              float lo; vec2 hi;
//           WEFT_STRUCT_TO_WORDS    the words of `e`:         floatBitsToUint(e.lo), floatBitsToUint(e.hi.x), ...
//           WEFT_STRUCT_FROM_WORDS  its members from `words`: uintBitsToFloat(words[0]), vec2(...)
// Usage:    #include "weft/thread/element_type.glsl"
//
// Your own shader does not need this file: it has `#define T float` and `#define T_WORDS 1`, or a struct with its two
// functions.
#ifndef WEFT_THREAD_ELEMENT_TYPE
#define WEFT_THREAD_ELEMENT_TYPE

#include "weft/thread/words.glsl"

#ifdef WEFT_SCALAR
#define T WEFT_SCALAR
#else
struct WeftElement {
  WEFT_STRUCT_FIELDS
};
#define T WeftElement

uint[T_WORDS] weft_to_words(T e) { return uint[T_WORDS](WEFT_STRUCT_TO_WORDS); }
void weft_from_words(uint words[T_WORDS], out T e) { e = T(WEFT_STRUCT_FROM_WORDS); }
#endif

#endif
