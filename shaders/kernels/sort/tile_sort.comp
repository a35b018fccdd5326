#version 460
// Sorts every `run_length` consecutive elements by a sorting network.
//
// Inputs:  `count` elements at source; with WEFT_VALUE_UNITS a value for each. Each workgroup takes `group_length`
//          elements, a multiple of `run_length`. With WEFT_ODD_EVEN the network is that of odd-even merge sort.
// Tile:    at most workgroup size * WEFT_ROWS elements, sorted in workgroup memory. In place works: a tile is read
//          before it is written, and by one workgroup.
// After:   Batcher 1968, Sorting Networks and Their Applications.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#ifdef WEFT_ODD_EVEN
#include "weft/workgroup/odd_even.glsl"
#else
#include "weft/workgroup/bitonic.glsl"
#endif
#ifdef WEFT_VALUE_UNITS
#include "weft/workgroup/tile_values.glsl"
#endif
#include "weft/thread/element_memory.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 source;
  uvec2 destination;
  uvec2 source_values;
  uvec2 destination_values;
  WeftCount count_on_device;
  uvec2 count;
  uint run_length;
  uint group_length;
  uint options;
  uint unused;
} args;

void main() {
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  uint group = weft_group_index();
  uvec2 start = weft_multiply(weft_wide(group), args.group_length);
  if (!weft_less(start, count)) return;
  uint limit = weft_min(weft_subtract(count, start), weft_wide(args.group_length)).x;

  WeftIndex first = weft_product(group, args.group_length);
  WeftBlockOffset offset = weft_element_offset(first);
  for (uint k = gl_LocalInvocationIndex; k < limit; k += gl_WorkGroupSize.x) {
    weft_tile_put(k, weft_load_from(args.source, offset, k), k);
  }
#ifdef WEFT_ODD_EVEN
  weft_odd_even_sort(args.run_length, limit);
#else
  weft_bitonic_sort(args.run_length, limit);
#endif
  for (uint k = gl_LocalInvocationIndex; k < limit; k += gl_WorkGroupSize.x) {
    weft_store_to(args.destination, offset, k, weft_tile_get(k));
  }
#ifdef WEFT_VALUE_UNITS
  WeftBlockOffset value_offset = weft_block_offset(first, WEFT_VALUE_UNITS, WEFT_VALUE_UNIT_BYTES);
  weft_move_values(args.source_values, weft_one_goal(args.destination_values), value_offset, limit);
#endif
}
