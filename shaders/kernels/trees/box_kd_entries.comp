#version 460
// Marks entries of a level with the sides of their node's plane, or stores them as references of a leaf.
//
// Inputs:  entries and choices of the level.
// Tile:    an entry for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

uint sides_of(WeftBox box, BoxKdChoice choice) {
  float low = choice.axis == 0u ? box.low.x : choice.axis == 1u ? box.low.y : box.low.z;
  float high = choice.axis == 0u ? box.high.x : choice.axis == 1u ? box.high.y : box.high.z;
  bool begins_below = low < choice.split;
  return (begins_below ? weft_below : weft_above) | (choice.split < high ? weft_above : 0u);
}

void main() {
  uint i = invocation();
  if (i >= entry_count()) return;
  BoxKdEntry entry = load_entry(i);
  BoxKdChoice choice = load_choice(entry.node);
  if (choice.axis < 3u) {
    store_entry(i, BoxKdEntry(entry.primitive, choice.target | sides_of(load_box(entry.primitive), choice)));
  } else {
    weft_store_word(weft_element_address(args.references, 4u, i + choice.target), 0u, 0u, entry.primitive);
    store_entry(i, BoxKdEntry(entry.primitive, 0u));
  }
}
