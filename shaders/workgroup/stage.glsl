// Elements of a tile gathered in workgroup memory, so that they are stored side by side.
//
// Gives:    void weft_stage_rows(x, masks, before, first)
//                   puts the elements of each row's mask at first + before[row] and the places that follow
//           void weft_store_staged(destination, WeftIndex place, first, count)
//                   stores `count` staged elements from `first` on as elements place, place + 1, ... of the destination
// Macros:   those of weft/workgroup/tile.glsl
// Usage:    weft_stage_rows(x, masks, before, 0u);
//           barrier();
//           weft_store_staged(args.destination, place, 0u, total);
//
// Workgroup memory of one tile. All invocations of the workgroup call them together, with a barrier in between.
#ifndef WEFT_WORKGROUP_STAGE
#define WEFT_WORKGROUP_STAGE

#include "weft/thread/elements.glsl"
#include "weft/workgroup/tile.glsl"

shared uint weft_staged[gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK_WORDS)];

void weft_stage_rows(T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint first) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint place = first + before[row];
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if ((masks[row] & (1u << uint(k))) == 0u) continue;
      uint words[T_WORDS] = weft_to_words(x[row][k]);
      [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_staged[place * T_WORDS + uint(w)] = words[w];
      ++place;
    }
  }
}

void weft_store_staged(uvec2 destination, WeftIndex place, uint first, uint count) {
  WeftPlace start = weft_place(place);
  for (uint word = gl_LocalInvocationIndex; word < count * T_WORDS; word += gl_WorkGroupSize.x) {
    weft_store_word(destination, start.block, start.word + word, weft_staged[first * T_WORDS + word]);
  }
}

#endif
