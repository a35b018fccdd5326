// Where a tile's places go, of which some may go to another memory than the rest.
//
// Gives:    WeftGoals                            `settled` for places [begin, end), `others` for the rest
//           WeftGoals weft_one_goal(memory)      one memory for all places
//           uvec2 weft_goal_of(goals, place)
// Usage:    weft_store_to(weft_goal_of(goals, place), start, place, x);
#ifndef WEFT_WORKGROUP_TILE_GOALS
#define WEFT_WORKGROUP_TILE_GOALS

struct WeftGoals {
  uvec2 others, settled;
  uint begin, end;
};

WeftGoals weft_one_goal(uvec2 memory) { return WeftGoals(memory, memory, 0u, 0u); }

uvec2 weft_goal_of(WeftGoals goals, uint place) {
  return place >= goals.begin && place < goals.end ? goals.settled : goals.others;
}

#endif
