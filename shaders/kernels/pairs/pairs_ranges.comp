#version 460
// For each box, in the order of their keys, the number of its candidates: sorted boxes that may overlap it, those after
// it that start before it ends. Also the sorted boxes.
//
// With WEFT_CELLS its candidates are boxes after it in its cell and in one half of the cells around, the others' boxes
// having it as a candidate. These are five ranges of sorted boxes, as rows of cells along x are consecutive. Large
// boxes come after all others and have all before them as candidates.
//
// Inputs:  `count` boxes in order bits; keys in ascending order and the index of the box of each.
// Tile:    a box for each invocation, which searches the keys.
// After:   Le Grand 2007, Broad-Phase Collision Detection with CUDA; Green 2010, Particle Simulation using CUDA.
#extension GL_EXT_control_flow_attributes : require
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

#ifdef WEFT_CELLS
const uint rows = 5u;

// For each of 2 * rows keys, the first of the sorted boxes [first, count) whose key is not below it, or `count`. All
// searches go on together, so that their loads do not wait for one another.
void find_keys(uint first, uint count, uint keys[2u * rows], out uint found[2u * rows]) {
  [[unroll]] for (uint k = 0u; k < 2u * rows; ++k) found[k] = first;
  for (uint left = count - first; left > 0u;) {
    uint step = (left + 1u) / 2u;
    [[unroll]] for (uint k = 0u; k < 2u * rows; ++k) {
      if (weft_load_word(args.keys, 0u, found[k] + step - 1u) < keys[k]) found[k] += step;
    }
    left -= step;
  }
}

// The first key of three cells along x, in row y of layer z, and the key after their last; none outside the grid.
uvec2 keys_of_row(uint x, uint y, uint z) {
  if (y > weft_last_cell || z > weft_last_cell) return uvec2(0u);
  uint first = weft_cell_key(uvec3(max(x, 1u) - 1u, y, z));
  uint last = weft_cell_key(uvec3(min(x + 1u, weft_last_cell), y, z));
  return uvec2(first, last + 1u);
}

uint find_candidates(uint i, uint count, WeftBoxBits box) {
  uint key = weft_load_word(args.keys, 0u, i);
  if (key >= weft_large) {
    uint before = key == weft_large ? i : 0u;
    weft_store_range(args.ranges, i, 0u, before, 0u);
    return before;
  }
  uvec3 cell = weft_cell_of_key(key);
  uint keys[2u * rows], found[2u * rows];
  [[unroll]] for (uint row = 0u; row < rows; ++row) {
    // The box's own row, the next one, and three of the next layer. Below 0, y is above the last one.
    uint y = row == 0u ? cell.y : row == 1u ? cell.y + 1u : cell.y + row - 3u;
    uvec2 both = keys_of_row(cell.x, y, row < 2u ? cell.z : cell.z + 1u);
    keys[2u * row] = row == 0u ? 0u : both.x;  // All boxes after this one.
    keys[2u * row + 1u] = both.y;
  }
  find_keys(i + 1u, count, keys, found);
  uint candidates = 0u;
  [[unroll]] for (uint row = 0u; row < rows; ++row) {
    candidates += found[2u * row + 1u] - found[2u * row];
    weft_store_range(args.ranges, i, row, candidates, found[2u * row + 1u] - candidates);
  }
  return candidates;
}
#else
// Those that overlap nothing are last, and end before all others start.
uint find_candidates(uint i, uint count, WeftBoxBits box) {
  return weft_lower_bound(args.keys, i + 1u, count, weft_along(box.high, args.sweep.axis) + 1u) - (i + 1u);
}
#endif

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  WeftBoxBits box = weft_load_box_bits(args.boxes, weft_load_word(args.indices, 0u, i));
  weft_store_box_bits(args.sorted, i, box);
  uint candidates = find_candidates(i, count, box);
  WeftBlockOffset at = weft_block_offset(i, WEFT_LENGTH_WORDS, 4u);
  weft_store_word(args.lengths, at.block, at.unit, candidates);
#if WEFT_LENGTH_WORDS == 2
  weft_store_word(args.lengths, at.block, at.unit + 1u, 0u);
#endif
}
