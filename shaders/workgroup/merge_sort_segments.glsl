// Rounds of a sort whose segments are sorted on their own, in place of the functions for one sequence in
// weft/workgroup/merge_sort.glsl.
//
// Gives:    WeftRuns weft_bound_runs(runs, invocation)
//                   the two runs, of which only the segment that straddles them is merged; the second one starts at the
//                   first element of `invocation`
//           WeftRound weft_next_round(now)
//                   the round after that one. Once no segment is in more than two runs, it merges odd pairs of the same
//                   length, and then nothing
// Macros:   those of weft/workgroup/tile_segments.glsl
#ifndef WEFT_WORKGROUP_MERGE_SORT_SEGMENTS
#define WEFT_WORKGROUP_MERGE_SORT_SEGMENTS

#include "weft/workgroup/tile_segments.glsl"

WeftRuns weft_bound_runs(WeftRuns runs, uint invocation) {
  uvec2 segment = weft_segment_at(min(invocation, gl_WorkGroupSize.x - 1u));
  runs.lower = clamp(segment.x, runs.first, runs.second);
  runs.upper = clamp(segment.y, runs.second, runs.end);
  return runs;
}

WeftRound weft_next_round(WeftRound now) {
  bool two_at_most = weft_longest_part <= now.invocations * WEFT_ROWS + 1u;
  if (now.odd) return WeftRound(gl_WorkGroupSize.x, false);
  if (two_at_most && 2u * now.invocations < gl_WorkGroupSize.x) return WeftRound(now.invocations, true);
  return WeftRound(2u * now.invocations, false);
}

#endif
