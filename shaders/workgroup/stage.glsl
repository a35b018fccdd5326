// Elements of a tile gathered in workgroup memory, so that they are stored side by side.
//
// Gives:    void weft_stage_rows(x, masks, before, first)
//                   puts the elements of each row's mask at first + before[row] and the places that follow
//           void weft_stage_indices(masks, before, index, first)
//                   as weft_stage_rows(), but puts there the elements' indices: `index` is that of the tile's first
//           void weft_store_staged(destination, WeftIndex place, first, count)
//                   stores `count` staged elements from `first` on as elements place, place + 1, ... of the destination
// Macros:   those of weft/workgroup/tile.glsl
// Usage:    weft_stage_rows(x, masks, before, 0u);
//           barrier();
//           weft_store_staged(args.destination, place, 0u, total);
//
// Workgroup memory of one tile. All invocations of the workgroup call them together, with a barrier in between.
//
// Who gathers by the same masks twice does either where there is anything to gather: `if (total > 0u)`. Then a compiler has
// no tests of bits to keep from the first for the second. NVIDIA's assembler (ptxas 12.9 to 13.5, sm_75 to sm_120), given
// two of a row's four bits tested before and two tested anew, took one of them from the mask of the row before.
#ifndef WEFT_WORKGROUP_STAGE
#define WEFT_WORKGROUP_STAGE

#include "weft/thread/elements.glsl"
#include "weft/workgroup/tile.glsl"

shared uint weft_staged[gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK * T_WORDS)];

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

void weft_stage_indices(uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint index, uint first) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint pack = index + weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, place = first + before[row];
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if ((masks[row] & (1u << uint(k))) != 0u) weft_staged[place++] = pack + uint(k);
    }
  }
}

void weft_store_staged(uvec2 destination, WeftIndex place, uint first, uint count) {
  WeftPlace start = weft_place(place);
  for (uint word = gl_LocalInvocationIndex; word < count * T_WORDS; word += gl_WorkGroupSize.x) {
    WEFT_STORE_UNIT(destination, start.block, start.word + word, weft_staged[first * T_WORDS + word]);
  }
}

#endif
