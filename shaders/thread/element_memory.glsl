// Loads and stores of elements in device memory.
//
// Gives:    T weft_load_element(memory, block, element)           `element`: its index from the start of the block, see
//           void weft_store_element(memory, block, element, x)    weft/thread/memory.glsl
//           T weft_load_at(memory, WeftIndex element)             and here from the start of the memory
//           void weft_store_at(memory, WeftIndex element, x)
//           T weft_load_from(memory, WeftBlockOffset, element)    and from an offset
//           void weft_store_to(memory, WeftBlockOffset, element, x)
//           WeftBlockOffset weft_element_offset(WeftIndex element)   of an element, in units
//           T weft_zero()   the element whose words are all zero
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           T_BYTES      optional: its size in memory if that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           those of weft/thread/memory.glsl
// Usage:    T x = weft_load_element(uvec2(args.input), 0u, i);
#ifndef WEFT_THREAD_ELEMENT_MEMORY
#define WEFT_THREAD_ELEMENT_MEMORY

#include "weft/thread/words.glsl"

#define E T
#define E_WORDS T_WORDS
#define E_BYTES T_BYTES
#define WEFT_OF(name) weft_##name
#include "weft/thread/typed_memory.glsl"
#undef E
#undef E_WORDS
#undef E_BYTES
#undef WEFT_OF

WeftBlockOffset weft_element_offset(WeftIndex element) { return weft_block_offset(element, T_WORDS, T_UNIT_BYTES); }

T weft_load_at(uvec2 memory, WeftIndex element) { return weft_load_from(memory, weft_element_offset(element), 0u); }
void weft_store_at(uvec2 memory, WeftIndex element, T x) { weft_store_to(memory, weft_element_offset(element), 0u, x); }

#endif
