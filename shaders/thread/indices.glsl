// Positions and counts of elements in device memory: one word each, or two with WEFT_WIDE_INDEX.
//
// Gives:    WEFT_INDEX_WORDS   words of a WeftIndex
//           WeftIndex weft_load_index(memory, WeftIndex at)    void weft_store_index(memory, WeftIndex at, WeftIndex value)
// Macros:   those of weft/thread/count.glsl
#ifndef WEFT_THREAD_INDICES
#define WEFT_THREAD_INDICES

#include "weft/thread/count.glsl"
#include "weft/thread/memory.glsl"

#ifdef WEFT_WIDE_INDEX
#define WEFT_INDEX_WORDS 2
#else
#define WEFT_INDEX_WORDS 1
#endif

// The block where the index starts, and the word there.
uvec2 weft_index_place(WeftIndex at) {
  uvec2 word = weft_multiply(weft_wide(at), WEFT_INDEX_WORDS);
  const uint blocks_in_4_giga_words = 0xFFFFFFFFu / weft_block_words + 1u;
  return uvec2(word.y * blocks_in_4_giga_words + word.x / weft_block_words, word.x % weft_block_words);
}

WeftIndex weft_load_index(uvec2 memory, WeftIndex at) {
  uvec2 place = weft_index_place(at);
  WeftIndex value;
  value.x = weft_load_word(memory, place.x, place.y);
#ifdef WEFT_WIDE_INDEX
  value.y = weft_load_word(memory, place.x, place.y + 1u);
#endif
  return value;
}

void weft_store_index(uvec2 memory, WeftIndex at, WeftIndex value) {
  uvec2 place = weft_index_place(at);
  weft_store_word(memory, place.x, place.y, value.x);
#ifdef WEFT_WIDE_INDEX
  weft_store_word(memory, place.x, place.y + 1u, value.y);
#endif
}

#endif
