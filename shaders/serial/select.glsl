// The selected elements of a tile that one invocation runs over.
//
// Gives:    everything in weft/serial/marks.glsl
//           void weft_store_selected(uvec2 destination, candidates, uint selected)
//                   stores them from that address on; `selected` is their number
//           void weft_store_head(inout uvec2 destination, candidates)
//                   stores the head that candidates leave out, and moves the address on
//           void weft_place(destination, inout uint place, T x, uint selected)
// Macros:   those of weft/serial/marks.glsl
// Usage:    weft_store_selected(weft_element_address(args.destination, T_BYTES, rank), candidates, total);
#ifndef WEFT_SERIAL_SELECT
#define WEFT_SERIAL_SELECT

#include "weft/serial/marks.glsl"

void weft_store_head(inout uvec2 destination, WeftCandidates c) {
#ifdef WEFT_SAME
  if (c.heads == 0u) return;
  weft_store_element(destination, 0u, 0u, weft_load_element(c.beside, 0u, 0u));
  destination = weft_add(destination, T_BYTES);
#endif
}

// Stores an element whether it is selected or not. The next one takes the same place unless it is: so no branch depends
// on elements. The place must be one of the tile's.
void weft_place(uvec2 destination, inout uint place, T x, uint selected) {
  weft_store_element(destination, 0u, place, x);
  place += selected;
}

void weft_store_selected(uvec2 destination, WeftCandidates c, uint selected) {
  weft_store_head(destination, c);
  selected -= c.heads;
  uint k = 0u, marks[weft_block];
  while (c.count > 0u && k < selected) {
    uvec2 elements = c.elements;
    uint count = weft_mark_block(c, marks);
    if (k + count <= selected) {  // The usual case, and a loop with nothing to check.
      for (uint i = 0u; i < count; ++i) weft_place(destination, k, weft_load_element(elements, 0u, i), marks[i]);
    } else {
      for (uint i = 0u; i < count && k < selected; ++i) {
        weft_place(destination, k, weft_load_element(elements, 0u, i), marks[i]);
      }
    }
  }
}

#endif
