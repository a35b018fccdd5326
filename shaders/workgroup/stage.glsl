// Elements of a tile gathered in workgroup memory, so that they are stored side by side.
//
// Gives:    void weft_stage_rows(x, masks, before, first)
//                   stages the elements of each row's mask, from slot first + before[row] on
//           void weft_stage_indices(masks, before, index, first)
//                   stages the elements' indices instead; `index` is that of the tile's first element
//           void weft_store_staged(destination, WeftIndex index, first, count)
//                   stores `count` staged elements from slot `first` on, to the destination from element `index` on
// Macros:   those of weft/workgroup/tile.glsl
// Usage:    weft_stage_rows(x, masks, before, 0u);
//           barrier();
//           weft_store_staged(args.destination, rank, 0u, total);
//
// Workgroup memory of one tile. All invocations of the workgroup call them together, with a barrier between staging and
// storing.
//
// A kernel that stages by the same masks twice should do so only if there are elements: `if (total > 0u)`. This keeps
// the compiler from reusing the first pass's bit tests in the second. NVIDIA's assembler (ptxas 12.9 to 13.5, sm_75 to
// sm_120) gets that wrong: with two of a row's four bits tested before and two tested anew, it took one of them from
// the mask of the previous row.
#ifndef WEFT_WORKGROUP_STAGE
#define WEFT_WORKGROUP_STAGE

#include "weft/thread/element_memory.glsl"
#include "weft/workgroup/tile.glsl"

shared uint weft_staged[gl_WorkGroupSize.x * (WEFT_ROWS * WEFT_PACK * T_WORDS)];

void weft_stage_rows(T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint first) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint slot = first + before[row];
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if ((masks[row] & (1u << uint(k))) == 0u) continue;
      uint words[T_WORDS] = weft_to_words(x[row][k]);
      [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_staged[slot * T_WORDS + uint(w)] = words[w];
      ++slot;
    }
  }
}

void weft_stage_indices(uint masks[WEFT_ROWS], uint before[WEFT_ROWS], uint index, uint first) {
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint pack = index + weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, slot = first + before[row];
    [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
      if ((masks[row] & (1u << uint(k))) != 0u) weft_staged[slot++] = pack + uint(k);
    }
  }
}

void weft_store_staged(uvec2 destination, WeftIndex index, uint first, uint count) {
  WeftBlockOffset start = weft_element_offset(index);
  for (uint word = gl_LocalInvocationIndex; word < count * T_WORDS; word += gl_WorkGroupSize.x) {
    weft_store_unit(destination, T_UNIT_BYTES, start.block, start.unit + word, weft_staged[first * T_WORDS + word]);
  }
}

#endif
