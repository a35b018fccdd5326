// Cells of a uniform grid without bounds, as keys of 30 bits.
//
// Gives:    uint weft_folded(float cell)   the coordinate of a cell, 0 to weft_last_cell: the line of cells is folded
//                                          back and forth, so that neighbours stay neighbours or become the same. Cells
//                                          that coincide have candidates in common that do not overlap
//           vec3 weft_cell_at(vec3 point, float per_unit)   the cell that has a finite point, for a number of cells per
//                                          unit of length; far away one of 10^30
//           uvec2 weft_folded_range(float low, float high)   the first and the last of the coordinates of cells from
//                                          low to high
//           uint weft_cell_key(uvec3)      uvec3 weft_cell_of_key(uint)   with x in the lowest bits
//           void weft_store_range(ranges, i, range, uint end, uint shift)   of box i, of 5 ranges: its candidates
//           before
//                                          `end` that are in no earlier range, candidate k being box k + shift
//           uint weft_candidate_box(ranges, i, k)                           the box that is candidate k of box i
//           weft_large                     the key of boxes in too many cells; above those of cells
// Macros:   those of weft/thread/memory.glsl
#ifndef WEFT_KERNELS_PAIRS_CELLS
#define WEFT_KERNELS_PAIRS_CELLS

#include "weft/thread/memory.glsl"

const uint weft_cell_bits = 10u, weft_last_cell = (1u << weft_cell_bits) - 1u;
const uint weft_large = 1u << 3u * weft_cell_bits;

// Exact for whole numbers of any size.
uint weft_folded(float cell) {
  const float period = float(2u << weft_cell_bits), per_cell = 1.0 / period;
  precise float within = cell - period * floor(cell * per_cell);
  uint x = min(uint(within), (2u << weft_cell_bits) - 1u);
  return min(x, (2u << weft_cell_bits) - 1u - x);
}

// Cells on the even legs of the folded line ascend, on the odd ones descend.
uvec2 weft_folded_range(float low, float high) {
  const float per_leg = 1.0 / float(1u << weft_cell_bits);
  uint a = weft_folded(low), b = weft_folded(high);
  float leg = floor(low * per_leg), legs = floor(high * per_leg) - leg;
  bool ascends = floor(leg * 0.5) * 2.0 == leg;
  uint first = legs > 1.0 || (legs == 1.0 && !ascends) ? 0u : min(a, b);
  return uvec2(first, legs > 1.0 || (legs == 1.0 && ascends) ? weft_last_cell : max(a, b));
}

vec3 weft_cell_at(vec3 point, float per_unit) {
  precise vec3 cells = point * per_unit;
  return floor(clamp(cells, vec3(-1e30), vec3(1e30)));
}

uint weft_cell_key(uvec3 cell) { return cell.z << 2u * weft_cell_bits | cell.y << weft_cell_bits | cell.x; }
uvec3 weft_cell_of_key(uint key) {
  return uvec3(key, key >> weft_cell_bits, key >> 2u * weft_cell_bits) & weft_last_cell;
}

void weft_store_range(uvec2 ranges, uint i, uint range, uint end, uint shift) {
  uvec2 at = weft_element_address(ranges, 40u, i);
  weft_store_word(at, 0u, 2u * range, end);
  weft_store_word(at, 0u, 2u * range + 1u, shift);
}

uint weft_candidate_box(uvec2 ranges, uint i, uint k) {
  uvec2 at = weft_element_address(ranges, 40u, i);
  uint range = 0u;
  while (k >= weft_load_word(at, 0u, 2u * range)) ++range;
  return k + weft_load_word(at, 0u, 2u * range + 1u);
}

#endif
