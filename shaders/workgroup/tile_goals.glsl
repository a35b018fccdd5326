// The destination of each element of a tile. One range of elements may have another destination than the rest.
//
// Gives:    WeftGoals                           `settled` for elements [begin, end) of the tile, `others` for the rest
//           WeftGoals weft_one_goal(memory)     one memory for all elements
//           uvec2 weft_goal_of(goals, index)    the memory for that element
// Usage:    weft_store_to(weft_goal_of(goals, index), start, index, x);
#ifndef WEFT_WORKGROUP_TILE_GOALS
#define WEFT_WORKGROUP_TILE_GOALS

struct WeftGoals {
  uvec2 others, settled;
  uint begin, end;
};

WeftGoals weft_one_goal(uvec2 memory) { return WeftGoals(memory, memory, 0u, 0u); }

uvec2 weft_goal_of(WeftGoals goals, uint index) {
  return index >= goals.begin && index < goals.end ? goals.settled : goals.others;
}

#endif
