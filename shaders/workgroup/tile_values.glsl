// Moves the values that elements of a tile carry along to the elements' new indices.
//
// Gives:    void weft_move_values(source, WeftGoals destination, WeftBlockOffset start, uint limit)
//                   copies value weft_tile_source(k) of the source to value k of the destination; in both the tile
//                   starts at `start`
// Macros:   those of weft/workgroup/tile_memory.glsl, with WEFT_TILE_SOURCES
//           WEFT_VALUE_UNITS, WEFT_VALUE_UNIT_BYTES   units of a value, and bytes of a unit: 4, 2 or 1
//
// All invocations of the workgroup call it together. Works in place: one unit of every value is read before any of
// these units is written.
#ifndef WEFT_WORKGROUP_TILE_VALUES
#define WEFT_WORKGROUP_TILE_VALUES

#include "weft/thread/memory.glsl"
#include "weft/workgroup/tile_goals.glsl"
#include "weft/workgroup/tile_memory.glsl"

void weft_move_values(uvec2 source, WeftGoals destination, WeftBlockOffset start, uint limit) {
  for (uint part = 0u; part < WEFT_VALUE_UNITS; ++part) {
    uint units[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = weft_tile_index(row);
      units[row] = 0u;
      if (index < limit) {
        uint unit = weft_tile_source(index) * WEFT_VALUE_UNITS + part;
        units[row] = weft_load_unit(source, WEFT_VALUE_UNIT_BYTES, start.block, start.unit + unit);
      }
    }
    barrier();
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = weft_tile_index(row);
      if (index < limit) {
        uvec2 memory = weft_goal_of(destination, index);
        uint unit = start.unit + index * WEFT_VALUE_UNITS + part;
        weft_store_unit(memory, WEFT_VALUE_UNIT_BYTES, start.block, unit, units[row]);
      }
    }
  }
}

#endif
