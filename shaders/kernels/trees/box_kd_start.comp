#version 460
// The boxes of primitives, and an entry for each one that is a box, for the first side of a Split. Boxes that are empty
// or have a NaN become infinity to -infinity.
//
// Inputs:  `count` primitives of type K.
// Tile:    a primitive for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/trees/lbvh_leaves.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 primitives;
  uvec2 boxes;
  uvec2 entries;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
}
args;

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  WeftBox box =
      weft_box_of(weft_key_load_from(args.primitives, weft_block_offset(i, K_WORDS, K_BYTES / K_WORDS), 0u), i);
  bool is_box = all(lessThanEqual(box.low, box.high));
  if (!is_box) box = weft_empty_box();
  weft_store_box(weft_element_address(args.boxes, 24u, i), 0u, box);
  uvec2 entry = weft_element_address(args.entries, 8u, i);
  weft_store_word(entry, 0u, 0u, i);
  weft_store_word(entry, 0u, 1u, is_box ? 0x40000000u : 0u);
}
