// Values that elements of a tile carry along, moved to where the elements went.
//
// Gives:    void weft_move_values(source, WeftGoals destination, WeftPlace start, uint limit)
//                   value k of the destination is value weft_tile_source(k) of the source; both start at `start`
// Macros:   those of weft/workgroup/tile_memory.glsl, with WEFT_TILE_SOURCES
//           and of weft/thread/values.glsl
//
// All invocations of the workgroup call it together. In place works: of all values one unit is read before it is written.
#ifndef WEFT_WORKGROUP_TILE_VALUES
#define WEFT_WORKGROUP_TILE_VALUES

#include "weft/thread/values.glsl"
#include "weft/workgroup/tile_goals.glsl"
#include "weft/workgroup/tile_memory.glsl"

void weft_move_values(uvec2 source, WeftGoals destination, WeftPlace start, uint limit) {
  for (uint part = 0u; part < WEFT_VALUE_UNITS; ++part) {
    uint units[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint place = weft_tile_place(row);
      units[row] = 0u;
      if (place < limit) {
        uint unit = weft_tile_source(place) * WEFT_VALUE_UNITS + part;
        units[row] = weft_load_value_unit(source, start.block, start.word + unit);
      }
    }
    barrier();
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint place = weft_tile_place(row);
      if (place < limit) {
        uvec2 memory = weft_goal_of(destination, place);
        weft_store_value_unit(memory, start.block, start.word + place * WEFT_VALUE_UNITS + part, units[row]);
      }
    }
  }
}

#endif
