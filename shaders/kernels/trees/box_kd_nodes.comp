#version 460
// Writes the nodes of a level, and the cells of their children: of all children below planes, then of those above.
//
// Inputs:  cells, choices and sums of the level.
// Tile:    a node for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

void write_node(uint node, BoxKdChoice choice, uint first, uint number) {
  uvec4 words = uvec4(choice.axis, floatBitsToUint(choice.split), first, number);
  weft_store_vector(weft_element_address(args.nodes, 16u, node), 0u, 0u, words);
}

void write_leaf(uint rank, BoxKdCell cell, BoxKdSums before) {
  bool is_refused = rank >= level_word(args.level, weft_level_cutoff);
  uint divided = is_refused ? level_word(args.level, weft_level_divided) : before.divided;
  uint target = level_word(args.level, weft_level_references) - divided;
  BoxKdChoice choice = BoxKdChoice(3u, 0.0, target);
  store_choice(rank, choice);
  write_node(cell.node, choice, before.entries + target, cell.number);
}

void write_parent(uint rank, BoxKdCell cell, BoxKdChoice choice, BoxKdSums before) {
  BoxKdSums sums = load_sums(rank);
  uint below = sums.below - before.below, above = sums.above - before.above;
  uint child = level_word(args.level, weft_level_first) + 2u * before.parents;
  choice.target = before.parents;
  store_choice(rank, choice);
  write_node(cell.node, choice, child, 0u);

  bvec3 along = equal(uvec3(0u, 1u, 2u), uvec3(choice.axis));
  vec3 plane = vec3(choice.split);
  uint bins_below = has_bins(below) ? before.bins : weft_tree_none;
  uint bins_above = has_bins(above) ? before.bins + uint(has_bins(below)) : weft_tree_none;
  store_cell(args.level + 1u, before.parents,
             BoxKdCell(WeftBox(cell.box.low, mix(cell.box.high, plane, along)), child, below, bins_below));
  store_cell(args.level + 1u, level_word(args.level, weft_level_dividing) + before.parents,
             BoxKdCell(WeftBox(mix(cell.box.low, plane, along), cell.box.high), child + 1u, above, bins_above));
}

void main() {
  uint rank = invocation();
  if (rank >= level_word(args.level, weft_level_nodes)) return;
  BoxKdCell cell = load_cell(args.level, rank);
  BoxKdChoice choice = load_choice(rank);
  BoxKdSums before = sums_before(rank);
  if (choice.axis < 3u && rank < level_word(args.level, weft_level_cutoff)) {
    write_parent(rank, cell, choice, before);
  } else {
    write_leaf(rank, cell, before);
  }
}
