// Loads and stores of values of one type E in device memory. weft/thread/element_memory.glsl includes it for the
// elements T, weft/workgroup/keys.glsl for the keys K.
//
// Gives:    E WEFT_OF(load_element)(memory, block, element)   `element`: its index from the start of the block
//           void WEFT_OF(store_element)(memory, block, element, x)
//           E WEFT_OF(load_from)(memory, WeftBlockOffset, element)   and here from that offset
//           void WEFT_OF(store_to)(memory, WeftBlockOffset, element, x)
//           E WEFT_OF(zero)()   the value whose words are all zero
// Macros:   E, E_WORDS, E_BYTES   the type, its 32-bit words in registers and its bytes in memory
//           WEFT_OF(name)         the names of its functions
//           those of weft/thread/memory.glsl
//
// In memory, a value is E_WORDS units of 4, 2 or 1 bytes. Include this file once for each type.

#include "weft/thread/memory.glsl"
#include "weft/thread/words.glsl"

E WEFT_OF(load_from)(uvec2 memory, WeftBlockOffset offset, uint element) {
  uint words[E_WORDS];
  [[unroll]] for (int w = 0; w < E_WORDS; ++w) {
    words[w] = weft_load_unit(memory, E_BYTES / E_WORDS, offset.block, offset.unit + element * E_WORDS + uint(w));
  }
  E x;
  weft_from_words(words, x);
  return x;
}

void WEFT_OF(store_to)(uvec2 memory, WeftBlockOffset offset, uint element, E x) {
  uint words[E_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < E_WORDS; ++w) {
    weft_store_unit(memory, E_BYTES / E_WORDS, offset.block, offset.unit + element * E_WORDS + uint(w), words[w]);
  }
}

E WEFT_OF(load_element)(uvec2 memory, uint block, uint element) {
  return WEFT_OF(load_from)(memory, WeftBlockOffset(block, 0u), element);
}
void WEFT_OF(store_element)(uvec2 memory, uint block, uint element, E x) {
  WEFT_OF(store_to)(memory, WeftBlockOffset(block, 0u), element, x);
}

E WEFT_OF(zero)() {
  uint words[E_WORDS];
  [[unroll]] for (int w = 0; w < E_WORDS; ++w) words[w] = 0u;
  E x;
  weft_from_words(words, x);
  return x;
}
