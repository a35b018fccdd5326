#version 460
// First dispatch of a merge sort, as shaders/kernels/sort/merge_sort_tiles.comp without segments, by workgroups of one
// invocation.
//
// Inputs:  as there.
// Tile:    WEFT_ROWS elements, sorted in workgroup memory, which is in the cache. In place works.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/sort/merge_sort_arguments.glsl"
#include "weft/serial/merge_sort.glsl"
#include "weft/serial/tile.glsl"

#ifdef WEFT_VALUE_UNITS
shared uint units[WEFT_ROWS];

void move_values(uint tile, uint from, uint limit) {
  const uint bytes = WEFT_VALUE_UNITS * WEFT_VALUE_UNIT_BYTES;
  uvec2 source = weft_part_of(args.source_values, bytes, tile, 0u);
  uvec2 destination = weft_part_of(args.destination_values, bytes, tile, 0u);
  for (uint unit = 0u; unit < WEFT_VALUE_UNITS; ++unit) {
    for (uint i = 0u; i < limit; ++i) {
      uint of_source = weft_sorted_source[from + i] * WEFT_VALUE_UNITS + unit;
      units[i] = weft_load_unit(source, WEFT_VALUE_UNIT_BYTES, 0u, of_source);
    }
    for (uint i = 0u; i < limit; ++i) {
      weft_store_unit(destination, WEFT_VALUE_UNIT_BYTES, 0u, i * WEFT_VALUE_UNITS + unit, units[i]);
    }
  }
}
#endif

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  uint tile = weft_group_index();
  if (tile >= extent.tiles) return;
  uint limit = weft_tile_limit(extent, tile);
  uvec2 source = weft_part_of(args.source, T_BYTES, tile, 0u);
  uvec2 destination = weft_part_of(args.destination, T_BYTES, tile, 0u);
  for (uint i = 0u; i < limit; ++i) weft_sorted[i] = weft_load_element(source, 0u, i);
#ifdef WEFT_TILE_SOURCES
  for (uint i = 0u; i < limit; ++i) weft_sorted_source[i] = i;
#endif
  uint from = weft_serial_merge_sort(limit);
  for (uint i = 0u; i < limit; ++i) weft_store_element(destination, 0u, i, weft_sorted[from + i]);
#ifdef WEFT_VALUE_UNITS
  move_values(tile, from, limit);
#endif
}
