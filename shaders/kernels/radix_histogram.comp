#version 460
// How often each digit is among all keys, for all passes of a radix sort at once.
//
// Inputs:  `count` keys; totals in memory that was set to zero, WEFT_DIGITS of them for each pass; any number of workgroups
//          of which none takes 2^32 keys.
// Tile:    workgroup size * WEFT_ROWS keys; workgroups take tiles in turn, count in workgroup memory and add up at the end.
// After:   Adinets and Merrill 2022, Onesweep: A Faster Least Significant Digit Radix Sort for GPUs.
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require
layout(local_size_x_id = 0) in;

#include "weft/device/tickets.glsl"
#include "weft/kernels/options.glsl"
#include "weft/thread/bits.glsl"
#include "weft/thread/radix_key.glsl"
#include "weft/workgroup/extent.glsl"

#define WEFT_DIGITS (1u << WEFT_DIGIT_BITS)

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer DigitCounters { uint word[]; };

layout(push_constant, scalar) uniform Arguments {
  uvec2 keys;
  DigitCounters totals;
  WeftCount count_on_device;
  uvec2 count;
  uint begin;  // The first pass's first bit.
  uint width;  // Bits of each pass's digit but the last.
  uint end;    // The last pass's last bit, exclusive.
  uint passes;
  uint options;
  uint groups;
} args;

shared uint counters[WEFT_PASSES * WEFT_DIGITS];

void add_to_total(uint index, uint there) {
#ifdef WEFT_WIDE_INDEX
  uint low = atomicAdd(args.totals.word[2u * index], there);
  if (low + there < low) atomicAdd(args.totals.word[2u * index + 1u], 1u);
#else
  atomicAdd(args.totals.word[index], there);
#endif
}

void main() {
  WeftExtent extent =
      weft_extent(weft_count(args.count, weft_has(args.options, weft_count_on_device), args.count_on_device));
  uint counted = args.passes * WEFT_DIGITS;
  for (uint c = gl_LocalInvocationIndex; c < counted; c += gl_WorkGroupSize.x) counters[c] = 0u;
  barrier();
  for (uint tile = weft_group_index(); tile < extent.tiles; tile += args.groups) {
    uint limit = weft_tile_limit(extent, tile);
    uvec2 source = weft_element_address(args.keys, WEFT_KEY_BYTES * weft_tile_size(), tile);
    uvec2 key[WEFT_ROWS];
    [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
      uint index = weft_pack_index(gl_SubgroupID, row);
      if (index < limit) key[row] = weft_load_bits(source, WEFT_KEY_BYTES, index);
    }
    for (uint pass = 0u; pass < args.passes; ++pass) {
      uint begin = args.begin + pass * args.width;
      uint mask = (1u << min(args.width, args.end - begin)) - 1u;
      [[unroll]] for (int row = 0; row < WEFT_ROWS; ++row) {
        bool there = weft_pack_index(gl_SubgroupID, row) < limit;
        if (there) atomicAdd(counters[pass * WEFT_DIGITS + weft_digit(key[row], begin, mask)], 1u);
      }
    }
  }
  barrier();
  for (uint c = gl_LocalInvocationIndex; c < counted; c += gl_WorkGroupSize.x) {
    if (counters[c] > 0u) add_to_total(c, counters[c]);
  }
}
