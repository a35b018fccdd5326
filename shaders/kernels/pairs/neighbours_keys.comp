#version 460
// The cells of points in a uniform grid, as keys, and the points' indices. Points that are not finite have a key above
// those of all cells.
//
// Inputs:  `count` elements with a point each; the number of cells for each unit of length, as bits.
// Tile:    a point for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/cells.glsl"
#include "weft/kernels/trees/kd_points.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 points;
  uvec2 keys;
  uvec2 indices;
  WeftCount count_on_device;
  uvec2 count;
  uint per_unit;
  uint options;
}
args;

uint key_of(vec3 point) {
  if (!all(lessThan(abs(point), vec3(uintBitsToFloat(0x7F800000u))))) return weft_large;
  vec3 cell = weft_cell_at(point, uintBitsToFloat(args.per_unit));
  return weft_cell_key(uvec3(weft_folded(cell.x), weft_folded(cell.y), weft_folded(cell.z)));
}

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  weft_store_word(args.keys, 0u, i, key_of(weft_point_at(args.points, i)));
  weft_store_word(args.indices, 0u, i, i);
}
