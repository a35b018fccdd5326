// A few rows of a tile at a time, gathered in workgroup memory by each subgroup for itself.
//
// Gives:    weft_staged_elements   elements of a lane that are gathered at once
//           uint weft_own_staged()   the subgroup's first slot, of weft_staged_elements for each invocation
//           uvec2 weft_staged_range(masks, before, first)
//                   for the rows gathered at once, from `first` on: the number of selected elements before these
//                   rows, and their own number
//           void weft_staged_barrier()   for the subgroup, and its slots
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_STAGED_ROWS   rows that a subgroup gathers at once
// Usage:    [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
//             uvec2 range = weft_staged_range(masks, before, first);
//             ...   // Put element before[row] into slot weft_own_staged() + before[row] - range.x.
//             weft_staged_barrier();
//             ...   // Store range.y elements.
//             weft_staged_barrier();   // The next rows use the same memory.
//           }
//
// `before` counts the elements of the tile's masks before each row's pack. All lanes of a subgroup call them together;
// other subgroups of the workgroup need not. Where much workgroup memory keeps other workgroups from running at the
// same time (NVIDIA's driver for Vulkan), few rows at once are faster; elsewhere many are: docs/performance-notes.md.
#ifndef WEFT_WORKGROUP_STAGED_ROWS
#define WEFT_WORKGROUP_STAGED_ROWS

#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "weft/subgroup/lanes.glsl"
#include "weft/workgroup/tile.glsl"

const uint weft_staged_elements = WEFT_STAGED_ROWS * WEFT_PACK;

uint weft_own_staged() { return gl_SubgroupID * gl_SubgroupSize * weft_staged_elements; }

uvec2 weft_staged_range(uint masks[WEFT_ROWS], uint before[WEFT_ROWS], int first) {
  int last = min(first + WEFT_STAGED_ROWS, WEFT_ROWS) - 1;
  uint begin = subgroupBroadcastFirst(before[first]);
  uint end = subgroupShuffle(before[last] + uint(bitCount(masks[last])), weft_lanes() - 1u);
  return uvec2(begin, end - begin);
}

void weft_staged_barrier() {
  subgroupMemoryBarrierShared();
  subgroupBarrier();
}

#endif
