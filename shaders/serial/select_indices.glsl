// The indices of the selected elements of a tile that one invocation runs over.
//
// Gives:    void weft_store_selected_indices(uvec2 destination, candidates, uvec2 first, uint selected)
//                   stores them from that address on; `first` is the index of the tile's first element, `selected`
//                   the number of those that are selected
// Macros:   those of weft/serial/marks.glsl
//           WEFT_INDEX_BITS   32 or 64: the width of an index in memory
// Usage:    as weft/serial/select.glsl, which stores the elements
#ifndef WEFT_SERIAL_SELECT_INDICES
#define WEFT_SERIAL_SELECT_INDICES

#include "weft/serial/marks.glsl"
#include "weft/thread/bits.glsl"

// As weft_place() of weft/serial/select.glsl.
void weft_place_index(uvec2 destination, inout uint place, uvec2 index, uint selected) {
  weft_store_bits(destination, WEFT_INDEX_BITS / 8u, place, index);
  place += selected;
}

void weft_store_selected_indices(uvec2 destination, WeftCandidates c, uvec2 first, uint selected) {
  uint k = 0u, marks[weft_block];
  if (c.heads > 0u) weft_place_index(destination, k, first, 1u);
  first = weft_add(first, c.heads);
  while (c.count > 0u && k < selected) {
    uint count = weft_mark_block(c, marks);
    if (k + count <= selected) {  // The usual case, and a loop with nothing to check.
      for (uint i = 0u; i < count; ++i) weft_place_index(destination, k, weft_add(first, i), marks[i]);
    } else {
      for (uint i = 0u; i < count && k < selected; ++i) {
        weft_place_index(destination, k, weft_add(first, i), marks[i]);
      }
    }
    first = weft_add(first, count);
  }
}

#endif
