// Stores the indices of the selected elements of a tile side by side, a few rows at a time.
//
// Gives:    void weft_store_selected_indices(destination, WeftIndex index, WeftIndex first, masks, before)
//                   stores the indices of the elements of each row's mask as number index + before[row] and the
//                   following ones; `first` is the index of the tile's first element
// Macros:   those of weft/workgroup/staged_rows.glsl
//           WEFT_INDEX_BITS   32 or 64: the width of an index in memory
// Usage:    as weft/workgroup/store_selected.glsl, which stores the elements
//
// All lanes of a subgroup call it together; other subgroups of the workgroup need not.
#ifndef WEFT_WORKGROUP_STORE_SELECTED_INDICES
#define WEFT_WORKGROUP_STORE_SELECTED_INDICES

#include "weft/thread/bits.glsl"
#include "weft/workgroup/staged_rows.glsl"

shared uint weft_staged_indices[gl_WorkGroupSize.x * weft_staged_elements];  // In the tile.

void weft_stage_indices(uint mask, uint index, uint slot) {
  [[unroll]] for (int k = 0; k < WEFT_PACK; ++k) {
    if ((mask & (1u << uint(k))) == 0u) continue;
    weft_staged_indices[slot] = index + uint(k);
    ++slot;
  }
}

void weft_store_selected_indices(uvec2 destination, WeftIndex index, WeftIndex first, uint masks[WEFT_ROWS],
                                 uint before[WEFT_ROWS]) {
  uvec2 start = weft_element_address(destination, WEFT_INDEX_BITS / 8u, index);
  uint own = weft_own_staged();
  [[unroll]] for (int begin = 0; begin < WEFT_ROWS; begin += WEFT_STAGED_ROWS) {
    uvec2 range = weft_staged_range(masks, before, begin);
    [[unroll]] for (int row = begin; row < min(begin + WEFT_STAGED_ROWS, WEFT_ROWS); ++row) {
      weft_stage_indices(masks[row], weft_pack_index(gl_SubgroupID, row) * WEFT_PACK, own + before[row] - range.x);
    }
    weft_staged_barrier();
    for (uint slot = gl_SubgroupInvocationID; slot < range.y; slot += gl_SubgroupSize) {
      uvec2 value = weft_wide(weft_add(first, weft_staged_indices[own + slot]));
      weft_store_bits(start, WEFT_INDEX_BITS / 8u, range.x + slot, value);
    }
    weft_staged_barrier();  // The next rows use the same memory.
  }
}

#endif
