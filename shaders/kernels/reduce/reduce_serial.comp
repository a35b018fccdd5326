#version 460
// Reduction to one value for each workgroup, as shaders/kernels/reduce/reduce.comp, by workgroups of one invocation:
// destination[group] = the total of the group's consecutive tiles.
//
// Inputs:  `count` elements at source, or the inputs of a transform.
// Tile:    WEFT_ROWS packs, in the order of the elements unless WEFT_COMMUTATIVE.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/thread/operator.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/reduce/arguments.glsl"
#include "weft/serial/reduce.glsl"

void main() {
  uint group = weft_group_index();
  uvec2 count = weft_count(args.count, args.options, args.count_on_device);
  WeftExtent extent = weft_extent(count);
  uint tiles_each = (extent.tiles + args.groups - 1u) / args.groups;
  uint end = min((group + 1u) * tiles_each, extent.tiles);
  T total = weft_identity();
  for (uint tile = group * tiles_each; tile < end; ++tile) {
    total = weft_combine(total, weft_serial_reduce(args.source, args.second, tile, 0u, weft_tile_limit(extent, tile)));
  }
#ifdef WEFT_NOTHING_DIFFERS
  if (count == uvec2(0u)) total = weft_nothing();
#endif
  weft_store_element(args.destination, 0u, group, total);
}
