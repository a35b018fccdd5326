#version 460
// Histogram, as shaders/kernels/reduce/histogram.comp, by workgroups of one invocation.
//
// Inputs:  as there.
// Macros:  those of weft/kernels/reduce/histogram_counts.glsl, with WEFT_SHARED_BINS one more than there are slots: the
//          last counts the samples outside of the bins, so that no branch depends on a sample
//          WEFT_ALL_INSIDE   optional: no sample is
// Tile:    WEFT_ROWS packs of pixels; each workgroup takes consecutive tiles. Four neighbours count in as many copies:
//          where they share a bin, an increment does not wait for the one before it.
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/thread/element_type.glsl"

#include "weft/kernels/reduce/histogram_counts.glsl"
#include "weft/serial/tile.glsl"

const uint outside = WEFT_SHARED_BINS - 1u;

struct Pixels {
  uvec2 samples, weights;
};

Pixels pixels_of(uint tile) {
  return Pixels(weft_part_of(args.source, T_BYTES * WEFT_CHANNELS, tile, 0u), weft_part_of(args.weights, 4u, tile, 0u));
}

void add_to_slot(uint slot, uint copy, uint amount) {
  uint i = slot * WEFT_COPIES + copy % WEFT_COPIES, before = weft_bins[i];
  weft_bins[i] = before + amount;
#ifdef WEFT_WIDE_BINS
  if (before + amount < before) weft_bins_high[i] += 1u;
#endif
}

uint amount_of(Pixels pixels, uint i) {
#ifdef WEFT_WEIGHTED
  return weft_load_word(pixels.weights, 0u, i);
#else
  return 1u;
#endif
}

uint slot_of(WeftEven even, Pixels pixels, uint i, uint channel) {
  uint slot;
  bool inside = weft_slot_of(weft_load_element(pixels.samples, 0u, i * WEFT_CHANNELS + channel), even, channel, slot);
#ifdef WEFT_ALL_INSIDE
  return slot;
#else
  return min(slot | (uint(inside) - 1u), outside);
#endif
}

void count_pixel(WeftEven even, Pixels pixels, uint i) {
  uint amount = amount_of(pixels, i);
  for (uint channel = 0u; channel < WEFT_COUNTED; ++channel) {
    add_to_slot(slot_of(even, pixels, i, channel), 0u, amount);
  }
}

void count_four(WeftEven even, Pixels pixels, uint i) {
  uint amount_a = amount_of(pixels, i), amount_b = amount_of(pixels, i + 1u);
  uint amount_c = amount_of(pixels, i + 2u), amount_d = amount_of(pixels, i + 3u);
  for (uint channel = 0u; channel < WEFT_COUNTED; ++channel) {
    uint a = slot_of(even, pixels, i, channel), b = slot_of(even, pixels, i + 1u, channel);
    uint c = slot_of(even, pixels, i + 2u, channel), d = slot_of(even, pixels, i + 3u, channel);
    add_to_slot(a, 0u, amount_a);
    add_to_slot(b, 1u, amount_b);
    add_to_slot(c, 2u, amount_c);
    add_to_slot(d, 3u, amount_d);
  }
}

void main() {
  WeftExtent extent = weft_extent(weft_count(args.count, args.options, args.count_on_device));
  WeftEven even = args.even;
  weft_clear_counts();
  weft_load_edges();
  uint tiles_each = (extent.tiles + args.groups - 1u) / args.groups, first = weft_group_index() * tiles_each;
  for (uint tile = first; tile < min(first + tiles_each, extent.tiles); ++tile) {
    Pixels pixels = pixels_of(tile);
    uint limit = weft_tile_limit(extent, tile), i = 0u;
    for (; i + 3u < limit; i += 4u) count_four(even, pixels, i);
    for (; i < limit; ++i) count_pixel(even, pixels, i);
  }
  weft_put_counts(even);
}
