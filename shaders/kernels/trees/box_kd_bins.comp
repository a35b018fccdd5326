#version 460
// Counts for each node of a level, axis and bin the boxes that begin in the bin, and those that end in it. Bins lie
// between planes. A box is counted by comparisons with planes, as it is later sent to their sides.
//
// Inputs:  entries and cells of the level; bins, all zero.
// Tile:    an entry for each invocation.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/trees/box_kd.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer BinCounts { uint at[]; };

void add_to_bin(BinCounts counts, uint word) { atomicAdd(counts.at[word], 1u); }

// About the bin of a coordinate in a cell that is not empty.
uint near_bin(float x, float low, float high) {
  return uint(clamp((x - low) / (high - low) * float(weft_box_bins), 0.0, float(weft_box_bins - 1u)));
}

// The number of planes that are not above x.
uint first_bin(float x, float low, float high) {
  uint k = near_bin(x, low, high);
  while (k > 0u && x < plane_of(low, high, k)) --k;
  while (k < weft_box_bins - 1u && plane_of(low, high, k + 1u) <= x) ++k;
  return k;
}

// The number of planes below x.
uint last_bin(float x, float low, float high) {
  uint k = near_bin(x, low, high);
  while (k > 0u && x <= plane_of(low, high, k)) --k;
  while (k < weft_box_bins - 1u && plane_of(low, high, k + 1u) < x) ++k;
  return k;
}

void main() {
  uint i = invocation();
  if (i >= entry_count()) return;
  BoxKdEntry entry = load_entry(i);
  BoxKdCell cell = load_cell(args.level, entry.node);
  if (cell.bins == weft_tree_none) return;
  WeftBox box = load_box(entry.primitive);
  BinCounts counts = BinCounts(weft_element_address(args.bins, 3u * 2u * 4u * weft_box_bins, cell.bins));
  [[unroll]] for (int axis = 0; axis < 3; ++axis) {
    float low = cell.box.low[axis], high = cell.box.high[axis];
    if (!(low < high)) continue;
    uint first = first_bin(box.low[axis], low, high), last = max(first, last_bin(box.high[axis], low, high));
    uint row = uint(axis) * weft_box_bins;
    add_to_bin(counts, 2u * (row + first));
    add_to_bin(counts, 2u * (row + last) + 1u);
  }
}
