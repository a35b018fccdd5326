// A few rows of a tile at a time, gathered in workgroup memory by each subgroup for itself.
//
// Gives:    weft_staged_elements   elements of one lane that are gathered at once
//           uint weft_own_staged()   the first of the places that are the subgroup's, among weft_staged_elements for each
//                                    invocation of the workgroup
//           uvec2 weft_staged_range(masks, before, first)   of the rows from `first` on that are gathered at once: how many
//                                    elements of the tile's masks come before them, and how many are of theirs
//           void weft_staged_barrier()   for the subgroup, and what it has in workgroup memory
// Macros:   those of weft/workgroup/tile.glsl
//           WEFT_STAGED_ROWS   rows that a subgroup gathers at once
// Usage:    [[unroll]] for (int first = 0; first < WEFT_ROWS; first += WEFT_STAGED_ROWS) {
//             uvec2 range = weft_staged_range(masks, before, first);
//             ...   // Put element before[row] at place weft_own_staged() + before[row] - range.x.
//             weft_staged_barrier();
//             ...   // Store range.y elements.
//             weft_staged_barrier();   // The next rows take the same memory.
//           }
//
// `before` counts the elements of the tile's masks before each row's pack. All lanes of a subgroup come here together;
// the workgroup's other subgroups need not. Where a workgroup that takes much workgroup memory keeps others away
// (NVIDIA's driver for Vulkan), few rows at once are faster, and elsewhere many: docs/performance-notes.md.
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
