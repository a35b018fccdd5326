#version 460
// Finds how many nodes of a level can have children, counts what the next level has, and writes the numbers of nodes,
// references and refused nodes so far.
//
// Inputs:  the sums over all nodes up to each.
// Tile:    one invocation does everything.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

// The first node for whose children there is no room. Room is never gained from a node to the next.
uint find_cutoff(uint nodes, uint room_for_nodes, uint room_for_entries) {
  uint first = 0u, end = nodes;
  while (first < end) {
    uint middle = first + (end - first) / 2u;
    BoxKdSums sums = load_sums(middle);
    uint gained = sums.below + sums.above - sums.divided;
    if (sums.parents <= room_for_nodes / 2u && gained <= room_for_entries) {
      first = middle + 1u;
    } else {
      end = middle;
    }
  }
  return first;
}

void write_count(uint k, uint value) {
  uint bytes = weft_has(args.options, weft_written_count_is_word) ? 4u : 8u;
  weft_write_count(WeftCount(weft_add(uvec2(args.counts), k * bytes)), args.options, weft_wide(value));
}

void main() {
  if (invocation() > 0u) return;
  uint level = args.level, nodes = level_word(level, weft_level_nodes), entries = entry_count();
  uint first = level_word(level, weft_level_first), references = level_word(level, weft_level_references);
  uint cutoff = find_cutoff(nodes, args.max_nodes - first, args.max_references - references - entries);
  BoxKdSums sums = sums_before(cutoff);
  set_level_word(level, weft_level_entries, entries);
  set_level_word(level, weft_level_cutoff, cutoff);
  set_level_word(level, weft_level_divided, sums.divided);
  set_level_word(level, weft_level_dividing, sums.parents);

  uint refused = level_word(level, weft_level_refused) + sums_before(nodes).parents - sums.parents;
  first += 2u * sums.parents;
  references += entries - sums.divided;
  set_level_word(level + 1u, weft_level_nodes, 2u * sums.parents);
  set_level_word(level + 1u, weft_level_parents, sums.parents);
  set_level_word(level + 1u, weft_level_first, first);
  set_level_word(level + 1u, weft_level_references, references);
  set_level_word(level + 1u, weft_level_refused, refused);
  write_count(0u, first);
  write_count(1u, references);
  write_count(2u, refused);
}
