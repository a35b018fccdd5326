#version 460
// The totals of empty segments: destination[s] = the operator's result of no elements if offsets s and s + 1 are the
// same, or if the segment starts past all elements.
//
// Inputs:  ascending offsets, one more than there are segments; one invocation for each segment.
// Tile:    none.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/element_memory.glsl"
#include "weft/thread/indices.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 offsets;
  uvec2 destination;
  WeftCount segments;
  uvec2 segment_number;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
} args;

void main() {
  uvec2 segments = weft_second_count(args.segment_number, args.options, args.segments);
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  uvec2 first = weft_multiply(uvec2(weft_group_index(), 0u), gl_WorkGroupSize.x);
  uvec2 segment = weft_add(first, gl_LocalInvocationIndex);
  if (!weft_less(segment, segments)) return;
  WeftIndex begin = weft_load_index(args.offsets, weft_index(segment));
  WeftIndex end = weft_load_index(args.offsets, weft_index(weft_add(segment, 1u)));
  bool empty = begin == end || !weft_less(weft_wide(begin), count);
  if (empty) weft_store_at(args.destination, weft_index(segment), weft_nothing());
}
