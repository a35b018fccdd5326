// A tile of elements in workgroup memory, for the files that sort and merge there.
//
// Gives:    void weft_tile_put(uint index, T x, uint source)
//           T weft_tile_get(uint index)
//           uint weft_tile_index(int row)       an index of this invocation, next to those of its neighbours
//           uint weft_tile_source(uint index)   with WEFT_TILE_SOURCES the number that the element carries along, such
//                                               as the index it came from; without it `index`
//           void weft_tile_put_source(uint index, uint source)   replaces that number; without it does nothing
// Macros:   T, T_WORDS   the element type and its size in 32-bit words
//           WEFT_ROWS           elements of an invocation
//           WEFT_TILE_SOURCES   optional: each element carries a number along
// Usage:    weft_tile_put(index, x, index);
//           barrier();
//           T y = weft_tile_get(other);
//
// Workgroup memory of workgroup size * WEFT_ROWS elements, and with WEFT_TILE_SOURCES of a word more for each.
#ifndef WEFT_WORKGROUP_TILE_MEMORY
#define WEFT_WORKGROUP_TILE_MEMORY

#include "weft/thread/words.glsl"

// One plane for each word, so that neighbours are in neighbouring banks whatever the element's size.
shared uint weft_tile_words[gl_WorkGroupSize.x * (WEFT_ROWS * T_WORDS)];
#ifdef WEFT_TILE_SOURCES
shared uint weft_tile_sources[gl_WorkGroupSize.x * WEFT_ROWS];
uint weft_tile_source(uint index) { return weft_tile_sources[index]; }
void weft_tile_put_source(uint index, uint source) { weft_tile_sources[index] = source; }
#else
uint weft_tile_source(uint index) { return index; }
void weft_tile_put_source(uint index, uint source) {}
#endif

uint weft_tile_index(int row) { return uint(row) * gl_WorkGroupSize.x + gl_LocalInvocationIndex; }

void weft_tile_put(uint index, T x, uint source) {
  uint words[T_WORDS] = weft_to_words(x);
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    weft_tile_words[uint(w) * (gl_WorkGroupSize.x * WEFT_ROWS) + index] = words[w];
  }
#ifdef WEFT_TILE_SOURCES
  weft_tile_sources[index] = source;
#endif
}

T weft_tile_get(uint index) {
  uint words[T_WORDS];
  [[unroll]] for (int w = 0; w < T_WORDS; ++w) {
    words[w] = weft_tile_words[uint(w) * (gl_WorkGroupSize.x * WEFT_ROWS) + index];
  }
  T x;
  weft_from_words(words, x);
  return x;
}

#endif
