// The selected elements of a tile that one invocation runs over, and the others.
//
// Gives:    everything in weft/serial/select.glsl
//           void weft_store_partition(uvec2 destination, uvec2 others, candidates, uint selected)
//                   stores both from these addresses on; `selected` is the number of the former
// Macros:   those of weft/serial/select.glsl
//           WEFT_REVERSED   optional: the others are in reverse order
#ifndef WEFT_SERIAL_PARTITION
#define WEFT_SERIAL_PARTITION

#include "weft/serial/select.glsl"

// The place of the others' number `j` among `count`.
uint weft_place_of_other(uint j, uint count) {
#ifdef WEFT_REVERSED
  return count - 1u - j;
#else
  return j;
#endif
}

// Until one part is complete, each element is stored as both, and the next one in its place where it is not. The
// elements after that all belong to the other part.
void weft_store_partition(uvec2 destination, uvec2 others, WeftCandidates c, uint selected) {
  weft_store_head(destination, c);
  selected -= c.heads;
  uvec2 elements = c.elements;
  uint rest = c.count - selected, k = 0u, j = 0u, marks[weft_block];
  while (c.count > 0u && k < selected && j < rest) {
    uvec2 block = c.elements;
    uint count = weft_mark_block(c, marks);
    if (k + count <= selected && j + count <= rest) {  // The usual case, and a loop with nothing to check.
      for (uint i = 0u; i < count; ++i) {
        T x = weft_load_element(block, 0u, i);
        weft_store_element(others, 0u, weft_place_of_other(j, rest), x);
        weft_place(destination, k, x, marks[i]);
        j += 1u - marks[i];
      }
    } else {
      for (uint i = 0u; i < count && k < selected && j < rest; ++i) {
        T x = weft_load_element(block, 0u, i);
        weft_store_element(others, 0u, weft_place_of_other(j, rest), x);
        weft_place(destination, k, x, marks[i]);
        j += 1u - marks[i];
      }
    }
  }

  elements = weft_element_address(elements, T_BYTES, k + j);
  destination = weft_element_address(destination, T_BYTES, k);
  for (uint i = 0u; i < selected - k; ++i) {
    weft_store_element(destination, 0u, i, weft_load_element(elements, 0u, i));
  }
  uint left = rest - j;
#ifndef WEFT_REVERSED
  others = weft_element_address(others, T_BYTES, j);
#endif
  for (uint i = 0u; i < left; ++i) {
    weft_store_element(others, 0u, weft_place_of_other(i, left), weft_load_element(elements, 0u, i));
  }
}

#endif
