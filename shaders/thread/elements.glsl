// Single elements in device memory.
//
// Gives:    T weft_load_element(memory, block, element)     `element` counts from the block's start, see
//           void weft_store_element(memory, block, element, x)   weft/thread/memory.glsl
//           T weft_load_at(memory, WeftIndex element)            and here from the memory's start
//           void weft_store_at(memory, WeftIndex element, x)
//           T weft_load_from(memory, WeftPlace, element)        and from a place
//           void weft_store_to(memory, WeftPlace, element, x)
//           WeftPlace weft_place(WeftIndex element)   the block and word where an element starts; or of
//                                                     narrower units that unit, counted from that block
//           T weft_load_in_words(memory, element), void weft_store_in_words(memory, element, x)
//                                                     as the first two, of elements that take whole words in any case
//           T weft_zero()                             the element whose words are all zero
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           T_BYTES      optional: their size in memory where that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           those of weft/thread/count.glsl, and of weft/thread/memory.glsl for such elements
// Usage:    T x = weft_load_element(uvec2(args.input), 0u, i);
#ifndef WEFT_THREAD_ELEMENTS
#define WEFT_THREAD_ELEMENTS

#include "weft/thread/count.glsl"
#include "weft/thread/memory.glsl"
#include "weft/thread/words.glsl"

struct WeftPlace {
  uint block, word;
};

// What memory holds an element in: words, or where its size is no multiple of them bytes or halves of words, whose bits
// are a word's low ones.
#if T_UNIT_BYTES == 1
const uint weft_units_of_block = weft_block_words * 4u;
#define WEFT_LOAD_UNIT weft_load_byte
#define WEFT_STORE_UNIT weft_store_byte
#elif T_UNIT_BYTES == 2
const uint weft_units_of_block = weft_block_words * 2u;
#define WEFT_LOAD_UNIT weft_load_half
#define WEFT_STORE_UNIT weft_store_half
#else
const uint weft_units_of_block = weft_block_words;
#define WEFT_LOAD_UNIT weft_load_word
#define WEFT_STORE_UNIT weft_store_word
#endif

WeftPlace weft_place_of_units(uvec2 unit, uint units_of_block) {
  uint blocks_in_4_giga_units = 0xFFFFFFFFu / units_of_block + 1u;
  return WeftPlace(unit.y * blocks_in_4_giga_units + unit.x / units_of_block, unit.x % units_of_block);
}
WeftPlace weft_place(WeftIndex element) {
  return weft_place_of_units(weft_multiply(weft_wide(element), T_WORDS), weft_units_of_block);
}

T weft_load_element(uvec2 memory, uint block, uint element) {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    words[w] = WEFT_LOAD_UNIT(memory, block, element * T_WORDS + uint(w));
  }
  T x;
  weft_from_words(words, x);
  return x;
}

void weft_store_element(uvec2 memory, uint block, uint element, T x) {
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    WEFT_STORE_UNIT(memory, block, element * T_WORDS + uint(w), words[w]);
  }
}

// As above, `element` counting from a place.
T weft_load_from(uvec2 memory, WeftPlace place, uint element) {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    words[w] = WEFT_LOAD_UNIT(memory, place.block, place.word + element * T_WORDS + uint(w));
  }
  T x;
  weft_from_words(words, x);
  return x;
}

void weft_store_to(uvec2 memory, WeftPlace place, uint element, T x) {
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    WEFT_STORE_UNIT(memory, place.block, place.word + element * T_WORDS + uint(w), words[w]);
  }
}

T weft_load_at(uvec2 memory, WeftIndex element) { return weft_load_from(memory, weft_place(element), 0u); }
void weft_store_at(uvec2 memory, WeftIndex element, T x) { weft_store_to(memory, weft_place(element), 0u, x); }

T weft_load_in_words(uvec2 memory, uint element) {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) words[w] = weft_load_word(memory, 0u, element * T_WORDS + uint(w));
  T x;
  weft_from_words(words, x);
  return x;
}

void weft_store_in_words(uvec2 memory, uint element, T x) {
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_store_word(memory, 0u, element * T_WORDS + uint(w), words[w]);
}

T weft_zero() {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) words[w] = 0u;
  T x;
  weft_from_words(words, x);
  return x;
}

#endif
