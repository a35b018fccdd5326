#version 460
// Chooses for each node of a level the plane with the lowest cost by the surface-area heuristic, or to be a leaf.
// Clears the bins for the next level.
//
// Inputs:  cells of the level, and the numbers of boxes that begin and end between planes.
// Tile:    a node for each invocation.
// After:   Hunt, Mark and Stoll 2006, Fast kd-tree Construction with an Adaptive Error-Bounded Heuristic.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

struct Best {
  float cost;
  BoxKdChoice choice;
  uint below, above;
};

// The power of two that makes the longest edge 1 to 2.
float scale_of(vec3 edges) {
  uint exponent = floatBitsToUint(max(max(edges.x, edges.y), edges.z)) & 0x7F800000u;
  return uintBitsToFloat(0x7F000000u - exponent);
}

// Half the surface area. Flat boxes have one too: edges are taken as a thousandth longer.
float half_area(float x, float y, float z) {
  precise vec3 edges = vec3(x, y, z) + 0.001;
  precise float area = edges.x * edges.y + edges.y * edges.z + edges.z * edges.x;
  return area;
}

// Planes across an edge of a cell, from low to high; y and z are its other edges. Costs are multiplied by the area of
// the cell, since quotients round differently on different devices.
void try_axis(BoxKdCell cell, uint axis, float low, float high, float y, float z, float scale, inout Best best) {
  if (!(low < high)) return;
  uvec2 bins = weft_element_address(args.bins, 3u * 2u * 4u * weft_box_bins, cell.bins);
  precise float node_cost = uintBitsToFloat(args.node_cost) * half_area((high - low) * scale, y, z);
  uint below = 0u, above = cell.number;
  for (uint k = 0u; k < weft_box_bins; ++k) {
    uint word = 2u * (axis * weft_box_bins + k);
    float split = plane_of(low, high, k);
    if (low < split && split < high) {
      precise float at_below = half_area((split - low) * scale, y, z) * float(below);
      precise float at_above = half_area((high - split) * scale, y, z) * float(above);
      precise float cost = node_cost + uintBitsToFloat(args.leaf_cost) * (at_below + at_above);
      if (cost < best.cost) best = Best(cost, BoxKdChoice(axis, split, 0u), below, above);
    }
    below += weft_load_word(bins, 0u, word);
    above -= weft_load_word(bins, 0u, word + 1u);
    weft_store_word(bins, 0u, word, 0u);
    weft_store_word(bins, 0u, word + 1u, 0u);
  }
}

Best choose(BoxKdCell cell, bool may_divide) {
  vec3 low = cell.box.low, high = cell.box.high, size = high - low;
  float scale = scale_of(size);
  precise vec3 edges = size * scale;
  precise float as_leaf = uintBitsToFloat(args.leaf_cost) * (half_area(edges.x, edges.y, edges.z) * float(cell.number));
  Best best = Best(as_leaf, BoxKdChoice(3u, 0.0, 0u), 0u, 0u);
  if (!may_divide) return best;
  try_axis(cell, 0u, low.x, high.x, edges.y, edges.z, scale, best);
  try_axis(cell, 1u, low.y, high.y, edges.z, edges.x, scale, best);
  try_axis(cell, 2u, low.z, high.z, edges.x, edges.y, scale, best);
  return best;
}

void main() {
  uint rank = invocation();
  if (rank >= level_word(args.level, weft_level_nodes)) return;
  BoxKdCell cell = load_cell(args.level, rank);
  Best best = choose(cell, cell.bins != weft_tree_none && args.level < args.last_level);
  store_choice(rank, best.choice);
  uint is_parent = uint(best.choice.axis < 3u);
  store_sums(rank, BoxKdSums(is_parent, best.below, best.above, is_parent * cell.number, cell.number,
                             uint(has_bins(best.below)) + uint(has_bins(best.above))));
}
