// A second type K beside the elements T: keys, or what a transform reads.
//
// Gives:    K, and for structs weft_to_words() and weft_from_words()
//           weft_key_load_element() and the others of weft/thread/typed_memory.glsl
// Macros:   K_WORDS, K_BYTES   a key's 32-bit words in registers, and its bytes in memory
//           WEFT_KEY_SCALAR    a scalar's type; or for a struct WEFT_KEY_STRUCT_FIELDS, WEFT_KEY_STRUCT_TO_WORDS and
//                              WEFT_KEY_STRUCT_FROM_WORDS, as weft/thread/element_type.glsl takes them for elements
//           those of weft/thread/memory.glsl
// Usage:    K key = weft_key_load_element(args.keys, 0u, i);
#ifndef WEFT_THREAD_KEY
#define WEFT_THREAD_KEY

#include "weft/thread/words.glsl"

#ifdef WEFT_KEY_SCALAR
#define K WEFT_KEY_SCALAR
#else
struct WeftKey {
  WEFT_KEY_STRUCT_FIELDS
};
#define K WeftKey

uint[K_WORDS] weft_to_words(WeftKey e) { return uint[K_WORDS](WEFT_KEY_STRUCT_TO_WORDS); }
void weft_from_words(uint words[K_WORDS], out WeftKey e) { e = WeftKey(WEFT_KEY_STRUCT_FROM_WORDS); }
#endif

#define E K
#define E_WORDS K_WORDS
#define E_BYTES K_BYTES
#define WEFT_OF(name) weft_key_##name
#include "weft/thread/typed_memory.glsl"
#undef E
#undef E_WORDS
#undef E_BYTES
#undef WEFT_OF

#endif
