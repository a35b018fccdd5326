#version 460
// The keys by which a broad phase sorts its boxes, and the boxes' indices. Low corners along the axis on which the
// boxes' centers vary most; or with WEFT_CELLS the cells of these corners in a uniform grid.
//
// Inputs:  `count` boxes in order bits. Sums over all of them, as algorithms/src/pairs/pair_statistics.h describes. The
//          edge of a cell; 0: one that most boxes fit into.
// Tile:    a box for each invocation.
// After:   Le Grand 2007, Broad-Phase Collision Detection with CUDA; Green 2010, Particle Simulation using CUDA.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/kernels/pairs/boxes.glsl"
#include "weft/kernels/pairs/cells.glsl"

layout(push_constant, scalar) uniform Arguments {
  uvec2 boxes;
  uvec2 statistics;
  WeftAxis sweep;
  uvec2 keys;
  uvec2 indices;
  WeftCount count_on_device;
  uvec2 count;
  uint cell_size;
  uint options;
}
args;

float statistic(uint word) { return uintBitsToFloat(weft_load_word(args.statistics, 0u, word)); }

float variance(int axis) {
  float sum = statistic(uint(axis)), squares = statistic(3u + uint(axis)), number = max(statistic(6u), 1.0);
  return max(squares - sum * (sum / number), 0.0) / number;
}

#ifdef WEFT_CELLS
// One and a half standard deviations above the mean, of square roots, so that a huge box weighs little. Without edges,
// as of points, cells are small beside the scene.
float cell_size() {
  float given = uintBitsToFloat(args.cell_size);
  if (given > 0.0) return given;
  float number = max(statistic(6u), 1.0), edge = statistic(7u) / number, root = statistic(8u) / number;
  float most = root + 1.5 * sqrt(max(edge - root * root, 0.0));
  float size = max(1.01 * most * most, 1e-4 * sqrt(max(max(variance(0), variance(1)), variance(2))));
  return size > 1e-30 && size < 1e30 ? size : 1.0;
}

// A box in more than two cells along an axis is large.
uint key_of(uint i, WeftBoxBits box) {
  if (box.low.x == weft_nowhere) return weft_nowhere;
  precise float per_unit = 1.0 / cell_size();
  precise vec3 low = floor(weft_corner_of_bits(box.low) * per_unit);
  precise vec3 high = floor(weft_corner_of_bits(box.high) * per_unit);
  bool has_cells = all(lessThan(abs(low), vec3(1e30))) && all(lessThan(abs(high), vec3(1e30)));
  if (!has_cells || !all(lessThanEqual(high - low, vec3(1.0)))) return weft_large;
  return weft_cell_key(uvec3(weft_folded(low.x), weft_folded(low.y), weft_folded(low.z)));
}
#else
int sweep_axis() {
  int widest = variance(1) > variance(0) ? 1 : 0;
  return variance(2) > variance(widest) ? 2 : widest;
}

uint key_of(uint i, WeftBoxBits box) {
  int axis = sweep_axis();
  if (i == 0u) args.sweep.axis = axis;
  return weft_along(box.low, axis);
}
#endif

void main() {
  uint count = weft_count(args.count, args.options, args.count_on_device).x;
  uint i = weft_group_index() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (i >= count) return;
  weft_store_word(args.keys, 0u, i, key_of(i, weft_load_box_bits(args.boxes, i)));
  weft_store_word(args.indices, 0u, i, i);
}
