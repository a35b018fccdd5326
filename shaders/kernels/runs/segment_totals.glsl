// What tiles are to those after them, where none waits for another: from one dispatch to the next in device memory.
//
// Gives:    WeftSegment weft_load_segment(memory, tile)    void weft_store_segment(memory, tile, WeftSegment)
// Macros:   those of weft/thread/segment.glsl, which is included before
#ifndef WEFT_KERNELS_SEGMENT_TOTALS
#define WEFT_KERNELS_SEGMENT_TOTALS

#include "weft/thread/memory.glsl"

WeftSegment weft_load_segment(uvec2 memory, uint tile) {
  uint words[WEFT_SEGMENT_WORDS];
  [[unroll]] for (int w = 0; w < WEFT_SEGMENT_WORDS; ++w) {
    words[w] = weft_load_word(memory, 0u, tile * WEFT_SEGMENT_WORDS + uint(w));
  }
  WeftSegment x;
  weft_from_words(words, x);
  return x;
}

void weft_store_segment(uvec2 memory, uint tile, WeftSegment x) {
  uint words[WEFT_SEGMENT_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < WEFT_SEGMENT_WORDS; ++w) {
    weft_store_word(memory, 0u, tile * WEFT_SEGMENT_WORDS + uint(w), words[w]);
  }
}

#endif
