// Single elements in device memory.
//
// Gives:    T weft_load_element(memory, block, element)     `element` counts from the block's start, see
//           void weft_store_element(memory, block, element, x)   weft/thread/memory.glsl
//           void weft_store_at(memory, WeftIndex element, x)     and here from the memory's start
//           WeftPlace weft_place(WeftIndex element)   the block and word where an element starts
//           T weft_zero()                             the element whose words are all zero
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           those of weft/thread/count.glsl
// Usage:    T x = weft_load_element(uvec2(args.input), 0u, i);
#ifndef WEFT_THREAD_ELEMENTS
#define WEFT_THREAD_ELEMENTS

#include "weft/thread/count.glsl"
#include "weft/thread/memory.glsl"
#include "weft/thread/words.glsl"

struct WeftPlace {
  uint block, word;
};

WeftPlace weft_place(WeftIndex element) {
  uvec2 word = weft_multiply(weft_wide(element), T_WORDS);
  const uint blocks_in_4_giga_words = 0xFFFFFFFFu / weft_block_words + 1u;
  return WeftPlace(word.y * blocks_in_4_giga_words + word.x / weft_block_words, word.x % weft_block_words);
}

T weft_load_element(uvec2 memory, uint block, uint element) {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    words[w] = weft_load_word(memory, block, element * T_WORDS + uint(w));
  }
  T x;
  weft_from_words(words, x);
  return x;
}

void weft_store_element(uvec2 memory, uint block, uint element, T x) {
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    weft_store_word(memory, block, element * T_WORDS + uint(w), words[w]);
  }
}

void weft_store_at(uvec2 memory, WeftIndex element, T x) {
  WeftPlace place = weft_place(element);
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_store_word(memory, place.block, place.word + uint(w), words[w]);
}

T weft_zero() {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) words[w] = 0u;
  T x;
  weft_from_words(words, x);
  return x;
}

#endif
