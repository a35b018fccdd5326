// Indices and counts of elements in device memory: one word each, or two with WEFT_WIDE_INDEX.
//
// Gives:    WEFT_INDEX_WORDS   words of a WeftIndex
//           WeftIndex weft_load_index(memory, WeftIndex at)
//           void weft_store_index(memory, WeftIndex at, WeftIndex value)
//           void weft_store_index_near(memory, uint at, WeftIndex value)   below 4 GiB from the start of the memory
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

WeftIndex weft_load_index(uvec2 memory, WeftIndex at) {
  WeftBlockOffset offset = weft_block_offset(at, WEFT_INDEX_WORDS, 4u);
  WeftIndex value;
  value.x = weft_load_word(memory, offset.block, offset.unit);
#ifdef WEFT_WIDE_INDEX
  value.y = weft_load_word(memory, offset.block, offset.unit + 1u);
#endif
  return value;
}

void weft_store_index(uvec2 memory, WeftIndex at, WeftIndex value) {
  WeftBlockOffset offset = weft_block_offset(at, WEFT_INDEX_WORDS, 4u);
  weft_store_word(memory, offset.block, offset.unit, value.x);
#ifdef WEFT_WIDE_INDEX
  weft_store_word(memory, offset.block, offset.unit + 1u, value.y);
#endif
}

void weft_store_index_near(uvec2 memory, uint at, WeftIndex value) {
  weft_store_word(memory, 0u, at * WEFT_INDEX_WORDS, value.x);
#ifdef WEFT_WIDE_INDEX
  weft_store_word(memory, 0u, at * WEFT_INDEX_WORDS + 1u, value.y);
#endif
}

#endif
