// The comparator of sorting networks, on elements in workgroup memory.
//
// Gives:    void weft_compare_exchange(uint low, uint high)   puts the elements at two indices in order
//           uint weft_network_size(uint length)               `length` rounded up to a power of two
// Macros:   those of weft/thread/comparison.glsl and weft/workgroup/tile_memory.glsl
#ifndef WEFT_WORKGROUP_COMPARE_EXCHANGE
#define WEFT_WORKGROUP_COMPARE_EXCHANGE

#include "weft/thread/comparison.glsl"
#include "weft/workgroup/tile_memory.glsl"

void weft_compare_exchange(uint low, uint high) {
  T a = weft_tile_get(low), b = weft_tile_get(high);
  if (!weft_before(b, a)) return;
  uint source = weft_tile_source(low);
  weft_tile_put(low, b, weft_tile_source(high));
  weft_tile_put(high, a, source);
}

uint weft_network_size(uint length) { return length < 2u ? 1u : 2u << findMSB(length - 1u); }

#endif
