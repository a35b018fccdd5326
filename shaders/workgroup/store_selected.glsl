// Stores the selected elements of a tile side by side, a few rows at a time.
//
// Gives:    void weft_store_selected(destination, WeftIndex index, x, masks, before)
//                   stores the elements of each row's mask as elements index + before[row] and the following ones
//           void weft_store_selected_backwards(destination, WeftIndex index, uint number, x, masks, before)
//                   the same in reverse order, as elements index + number - 1 - before[row] and the preceding ones
// Macros:   those of weft/workgroup/staged_rows.glsl
// Usage:    uint total = weft_rank_selected(masks, before);   // weft/kernels/select/selected_tile.glsl
//           WeftIndex rank = ...;   // of the tile's first selected element
//           weft_store_selected(args.destination, rank, x, masks, before);
//
// All lanes of a subgroup call it together; other subgroups of the workgroup need not.
#ifndef WEFT_WORKGROUP_STORE_SELECTED
#define WEFT_WORKGROUP_STORE_SELECTED

#include "weft/thread/element_memory.glsl"
#include "weft/workgroup/staged_rows.glsl"

shared uint weft_staged_words[gl_WorkGroupSize.x * (weft_staged_elements * T_WORDS)];

// `step` is the distance from element to element: T_WORDS, or -T_WORDS as an unsigned number.
void weft_stage_pack(T x[WEFT_PACK], uint mask, uint word, uint step) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if ((mask & (1u << uint(k))) == 0u) continue;
    uint words[T_WORDS] = weft_to_words(x[k]);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_staged_words[word + uint(w)] = words[w];
    word += step;
  }
}

// `number` of elements to store in all, for `backwards`.
void weft_store_selected_by(uvec2 destination, WeftIndex index, T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS],
                            uint before[WEFT_ROWS], bool backwards, uint number) {
  WeftBlockOffset start = weft_element_offset(index);
  uint own = weft_own_staged() * T_WORDS, step = backwards ? 0u - T_WORDS : T_WORDS;
  [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
    uvec2 range = weft_staged_range(masks, before, first);
    uint word = own + (backwards ? (range.y - 1u) * T_WORDS : 0u);
    [[unroll]] for (int row = first; row < min(first + WEFT_STAGED_ROWS, WEFT_ROWS); ++row) {
      weft_stage_pack(x[row], masks[row], word + (before[row] - range.x) * step, step);
    }
    weft_staged_barrier();
    uint from = start.unit + (backwards ? number - range.x - range.y : range.x) * T_WORDS;
    for (uint word = gl_SubgroupInvocationID; word < range.y * T_WORDS; word += gl_SubgroupSize) {
      weft_store_unit(destination, T_UNIT_BYTES, start.block, from + word, weft_staged_words[own + word]);
    }
    weft_staged_barrier();  // The next rows use the same memory.
  }
}

void weft_store_selected(uvec2 destination, WeftIndex index, T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS],
                         uint before[WEFT_ROWS]) {
  weft_store_selected_by(destination, index, x, masks, before, false, 0u);
}
void weft_store_selected_backwards(uvec2 destination, WeftIndex index, uint number, T x[WEFT_ROWS][WEFT_PACK],
                                   uint masks[WEFT_ROWS], uint before[WEFT_ROWS]) {
  weft_store_selected_by(destination, index, x, masks, before, true, number);
}

#endif
