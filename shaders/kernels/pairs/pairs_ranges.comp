#version 460
// For each box, in the order of their keys, the number of its candidates: sorted boxes that may overlap it, those after
// it that start before it ends. Also the sorted boxes.
//
// With WEFT_CELLS its candidates are boxes after it in its cell and in one half of the cells around, the others' boxes
// having it as a candidate. These are five ranges of sorted boxes, as rows of cells along x are consecutive. Large
// boxes come after all others and have all before them as candidates.
//
// Inputs:  `count` ordered boxes; keys in ascending order and the index of the box of each.
// Tile:    a box for each invocation, which searches the keys.
// After:   Le Grand 2007, Broad-Phase Collision Detection with CUDA; Green 2010, Particle Simulation using CUDA.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/boxes.glsl"
#include "weft/kernels/pairs/cells.glsl"
#include "weft/subgroup/search.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 boxes;
  uvec2 keys;
  uvec2 indices;
  uvec2 sorted;
  uvec2 ranges;
  uvec2 lengths;
  WeftAxis sweep;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

// The first of the boxes from `first` on whose key is above `key`.
uint after(uint key, uint first, uint count) { return weft_lower_bound(args.keys, first, count, key + 1u); }

#ifdef WEFT_CELLS
// Adds boxes [first, end) to the candidates of box i, of which there are `candidates` so far.
void add_range(uint i, uint range, uint first, uint end, inout uint candidates) {
  candidates += end - first;
  weft_store_range(args.ranges, i, range, candidates, end - candidates);
}

// Boxes after box i in three cells along x, in row y of layer z.
void add_row(uint i, uint range, uint count, uint x, uint y, uint z, inout uint candidates) {
  uint first = 0u, end = 0u;
  if (y <= weft_last_cell && z <= weft_last_cell) {
    first = weft_lower_bound(args.keys, i + 1u, count, weft_cell_key(uvec3(max(x, 1u) - 1u, y, z)));
    end = after(weft_cell_key(uvec3(min(x + 1u, weft_last_cell), y, z)), first, count);
  }
  add_range(i, range, first, end, candidates);
}

uint find_candidates(uint i, uint count, WeftOrderedBox box) {
  uint key = weft_load_word(args.keys, 0u, i), candidates = 0u;
  if (key >= weft_large) {
    add_range(i, 0u, 0u, key == weft_large ? i : 0u, candidates);
    return candidates;
  }
  uvec3 cell = weft_cell_of_key(key);
  uint next = weft_cell_key(uvec3(min(cell.x + 1u, weft_last_cell), cell.yz));
  add_range(i, 0u, i + 1u, after(next, i + 1u, count), candidates);
  add_row(i, 1u, count, cell.x, cell.y + 1u, cell.z, candidates);
  // Below 0, y is above the last one.
  for (uint row = 0u; row < 3u; ++row) {
    add_row(i, 2u + row, count, cell.x, cell.y + row - 1u, cell.z + 1u, candidates);
  }
  return candidates;
}
#else
// Those that overlap nothing are last, and end before all others start.
uint find_candidates(uint i, uint count, WeftOrderedBox box) {
  return after(weft_along(box.high, args.sweep.axis), i + 1u, count) - (i + 1u);
}
#endif

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  WeftOrderedBox box = weft_load_ordered(args.boxes, weft_load_word(args.indices, 0u, i));
  weft_store_ordered(args.sorted, i, box);
  uint candidates = find_candidates(i, count, box);
  WeftBlockOffset at = weft_block_offset(i, WEFT_LENGTH_WORDS, 4u);
  weft_store_word(args.lengths, at.block, at.unit, candidates);
#if WEFT_LENGTH_WORDS == 2
  weft_store_word(args.lengths, at.block, at.unit + 1u, 0u);
#endif
}
