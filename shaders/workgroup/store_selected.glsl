// Selected elements of a tile stored side by side, a few rows at a time.
//
// Gives:    void weft_store_selected(destination, WeftIndex place, x, masks, before)
//                   stores the elements of each row's mask as elements place + before[row] and the following ones
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_STAGED_ROWS   rows that a subgroup gathers in workgroup memory at once
// Usage:    uint total = weft_rank_selected(masks, before);   // weft/kernels/selected_tile.glsl
//           WeftIndex place = ...;   // of the tile's first selected element
//           weft_store_selected(args.destination, place, x, masks, before);
//
// `before` counts the selected elements of the tile before each row's pack. All lanes of a subgroup call it together; the
// workgroup's other subgroups need not. Where a workgroup that takes much workgroup memory keeps others away (NVIDIA's
// driver for Vulkan), this is faster than gathering a whole tile, and elsewhere as fast.
#ifndef WEFT_WORKGROUP_STORE_SELECTED
#define WEFT_WORKGROUP_STORE_SELECTED

#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "weft/subgroup/lanes.glsl"
#include "weft/thread/elements.glsl"
#include "weft/workgroup/tile.glsl"

const uint weft_staged_lane = WEFT_STAGED_ROWS * WEFT_PACK * T_WORDS;  // Words of workgroup memory for each lane.
shared uint weft_staged_rows[gl_WorkGroupSize.x * weft_staged_lane];

void weft_stage_pack(T x[WEFT_PACK], uint mask, uint word) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if ((mask & (1u << uint(k))) == 0u) continue;
    uint words[T_WORDS] = weft_to_words(x[k]);
    [[unroll]] for (int w = 0; w < T_WORDS; ++w) weft_staged_rows[word + uint(w)] = words[w];
    word += T_WORDS;
  }
}

void weft_store_selected(uvec2 destination, WeftIndex place, T x[WEFT_ROWS][WEFT_PACK], uint masks[WEFT_ROWS],
                         uint before[WEFT_ROWS]) {
  WeftPlace start = weft_place(place);
  uint own = gl_SubgroupID * gl_SubgroupSize * weft_staged_lane;
  [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
    int end = min(first + WEFT_STAGED_ROWS, WEFT_ROWS);
    uint begin = subgroupBroadcastFirst(before[first]);
    [[unroll]] for (int row = first; row < end; ++row) {
      weft_stage_pack(x[row], masks[row], own + (before[row] - begin) * T_WORDS);
    }
    uint staged = subgroupShuffle(before[end - 1] + uint(bitCount(masks[end - 1])), weft_lanes() - 1u) - begin;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    for (uint word = gl_SubgroupInvocationID; word < staged * T_WORDS; word += gl_SubgroupSize) {
      WEFT_STORE_UNIT(destination, start.block, start.word + begin * T_WORDS + word, weft_staged_rows[own + word]);
    }
    subgroupMemoryBarrierShared();
    subgroupBarrier();  // The next rows take the same memory.
  }
}

#endif
