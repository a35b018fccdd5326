#version 460
// A map, as shaders/kernels/scan/map.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS packs. The destination may be a source.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/scan/map.glsl"
#include "weft/serial/tile.glsl"

#ifdef WEFT_ELEMENT_AT
void compute(uvec2 destination, uint tile, uint limit) {
  uvec2 start = weft_tile_index(tile, 0u);
  for (uint i = 0u; i < limit; ++i) {
    uvec2 index = weft_add(start, i);
    weft_store_element(destination, 0u, i, weft_element_at(index.x, index.y));
  }
}
#else
void compute_from(uvec2 destination, WeftSource source, uint limit) {
  for (uint i = 0u; i < limit; ++i) weft_store_element(destination, 0u, i, weft_source_at(source, i));
}

// Loops of their own for maps in place: compilers see that what they store is what they have loaded.
void compute(uvec2 destination, uint tile, uint limit) {
  WeftSource source = weft_source_of(args.source, args.second, tile, 0u);
  if (destination == source.first) {
    compute_from(source.first, source, limit);
#ifdef WEFT_TRANSFORM_TWO
  } else if (destination == source.second) {
    compute_from(source.second, source, limit);
#endif
  } else {
    compute_from(destination, source, limit);
  }
}
#endif

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile < extent.tiles) {
    compute(weft_part_of(args.destination, T_BYTES, tile, 0u), tile, weft_tile_limit(extent, tile));
  }
}
