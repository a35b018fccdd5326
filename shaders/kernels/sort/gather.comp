#version 460
// Gathers elements of any size: destination[i] = source[indices[i]], or source[i].
//
// Inputs:  `count` elements of WEFT_UNITS units at source; an index for each, or address 0 for i itself.
// Tile:    workgroup size * WEFT_ROWS elements; invocations take units in turn, so that an element's units are read and
//          written side by side.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/bits.glsl"
#include "weft/workgroup/extent.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 indices;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

const uint element_bytes = WEFT_UNITS * WEFT_UNIT_BYTES;

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  uvec2 first = weft_multiply(weft_wide(tile), weft_tile_size());
  uvec2 destination = weft_element_address(args.destination, element_bytes, first);
  uvec2 indices = weft_element_address(args.indices, WEFT_INDEX_BYTES, first);
  for (uint unit = gl_LocalInvocationIndex; unit < limit * WEFT_UNITS; unit += gl_WorkGroupSize.x) {
    uint element = unit / WEFT_UNITS;
    uvec2 index = weft_add(first, element);
    if (args.indices != uvec2(0u)) index = weft_load_bits(indices, WEFT_INDEX_BYTES, element);
    uvec2 source = weft_element_address(args.source, element_bytes, index);
    weft_store_bits(destination, WEFT_UNIT_BYTES, unit, weft_load_bits(source, WEFT_UNIT_BYTES, unit % WEFT_UNITS));
  }
}
