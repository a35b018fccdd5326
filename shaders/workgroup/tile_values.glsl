// Moves the values that elements of a tile carry along to the elements' new indices.
//
// Gives:    void weft_move_values(source, WeftGoals destination, WeftBlockOffset start, uint limit)
//                   copies value weft_tile_source(k) of the source to value k of the destination; in both the tile
//                   starts at `start`
//           void weft_move_values(source, destination, start, WeftTilePart part, limit)
//                   the same within a part of the tile: indices count from the part's start, and its values start at
//                   `start`. Each invocation moves values of one part
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

struct WeftTilePart {
  uint start;        // In the tile.
  uint lane, lanes;  // This invocation among those of the part.
};

void weft_move_values(uvec2 source, WeftGoals destination, WeftBlockOffset start, WeftTilePart part, uint limit) {
  for (uint value_unit = 0u; value_unit < WEFT_VALUE_UNITS; ++value_unit) {
    uint units[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = uint(row) * part.lanes + part.lane;
      units[row] = 0u;
      if (index < limit) {
        uint unit = weft_tile_source(part.start + index) * WEFT_VALUE_UNITS + value_unit;
        units[row] = weft_load_unit(source, WEFT_VALUE_UNIT_BYTES, start.block, start.unit + unit);
      }
    }
    barrier();
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = uint(row) * part.lanes + part.lane;
      if (index < limit) {
        uvec2 memory = weft_goal_of(destination, index);
        uint unit = start.unit + index * WEFT_VALUE_UNITS + value_unit;
        weft_store_unit(memory, WEFT_VALUE_UNIT_BYTES, start.block, unit, units[row]);
      }
    }
  }
}

void weft_move_values(uvec2 source, WeftGoals destination, WeftBlockOffset start, uint limit) {
  weft_move_values(source, destination, start, WeftTilePart(0u, gl_LocalInvocationIndex, gl_WorkGroupSize.x), limit);
}

#endif
