// Push constants of the first dispatch of a merge sort. Mirrored in algorithms/src/sort/merge_sort_plan.cpp.
//
// Gives:    args
#ifndef WEFT_KERNELS_MERGE_SORT_ARGUMENTS
#define WEFT_KERNELS_MERGE_SORT_ARGUMENTS

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 source_values;
  uvec2 destination_values;
  WeftCount count_on_device;
  uvec2 count;
  uint options;
  uint list_words;
  // With WEFT_SEGMENTS:
  uvec2 offsets;
  uvec2 bounds;
  WeftCount segments_on_device;
  uvec2 segments;
  uvec2 settled;
  uvec2 settled_values;
  uvec2 lists;
} args;

#endif
