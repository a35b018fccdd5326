#version 460
// The root of a kd-tree of boxes: level 0, whose entries are all on the first side.
//
// Inputs:  the box around all boxes, in the memory of sums; the number of entries.
// Tile:    one invocation does everything.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

void main() {
  if (invocation() > 0u) return;
  // Planes across an infinite cell would be nowhere.
  const float most = 1.2676506002282294e30;  // 2^100
  WeftBox bounds = weft_load_box(args.sums, 0u);
  bounds = WeftBox(clamp(bounds.low, vec3(-most), vec3(most)), clamp(bounds.high, vec3(-most), vec3(most)));
  uint number = level_word(0u, weft_level_below);
  store_cell(0u, 0u, BoxKdCell(bounds, 0u, number, has_bins(number) ? 0u : weft_tree_none));
  set_level_word(0u, weft_level_nodes, 1u);
  set_level_word(0u, weft_level_parents, 1u);
  set_level_word(0u, weft_level_first, 1u);
  set_level_word(0u, weft_level_references, 0u);
  set_level_word(0u, weft_level_refused, 0u);
}
