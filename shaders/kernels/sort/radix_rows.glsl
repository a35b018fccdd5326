// A tile's keys or values in registers, as a radix sort holds them: rows of one element for each lane.
//
// Gives:    weft_load_sort_tile(memory, bytes, tile, limit, inout bits[WEFT_ROWS])
//           weft_load_sort_rows(memory, bytes, tile, limit, whole, inout bits)
//                    the same; `whole`, a literal: the tile is full
// Macros:   those of weft/thread/bits.glsl and weft/workgroup/extent.glsl, with WEFT_PACK 1
//
// Bits of elements past the limit are unchanged.
#ifndef WEFT_KERNELS_RADIX_ROWS
#define WEFT_KERNELS_RADIX_ROWS

#extension GL_EXT_control_flow_attributes : require
#include "weft/thread/bits.glsl"
#include "weft/workgroup/extent.glsl"

void weft_load_sort_rows(uvec2 memory, uint bytes, uint tile, uint limit, bool whole, inout uvec2 bits[WEFT_ROWS]) {
  // One address for all rows, each at a constant offset from it.
  uint first = weft_pack_index(gl_SubgroupID, 0);
  uvec2 source = weft_element_address(weft_element_address(memory, bytes * weft_tile_size(), tile), bytes, first);
  [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
    uint further = uint(row) * gl_SubgroupSize;
    if (whole || first + further < limit) bits[row] = weft_load_bits(source, bytes, further);
  }
}

void weft_load_sort_tile(uvec2 memory, uint bytes, uint tile, uint limit, inout uvec2 bits[WEFT_ROWS]) {
  if (limit == weft_tile_size()) {
    weft_load_sort_rows(memory, bytes, tile, limit, true, bits);
  } else {
    weft_load_sort_rows(memory, bytes, tile, limit, false, bits);
  }
}

#endif
