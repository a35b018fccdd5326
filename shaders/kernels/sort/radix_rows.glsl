// A tile's keys or values in registers, as a radix sort holds them: rows of one element for each lane.
//
// Gives:    weft_load_sort_tile(memory, bytes, tile, limit, bits[WEFT_ROWS]), and weft_load_sort_rows() of which it is made
// Macros:   those of weft/thread/bits.glsl and weft/workgroup/extent.glsl, with WEFT_PACK 1
#ifndef WEFT_KERNELS_RADIX_ROWS
#define WEFT_KERNELS_RADIX_ROWS

#extension GL_EXT_control_flow_attributes : require
#include "weft/thread/bits.glsl"
#include "weft/workgroup/extent.glsl"

// Loads the tile's elements that lie below the limit. `whole`, a literal: all of them do.
void weft_load_sort_rows(uvec2 memory, uint bytes, uint tile, uint limit, bool whole, inout uvec2 bits[WEFT_ROWS]) {
  // One address for all rows: what comes on top of it for each is a constant.
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
