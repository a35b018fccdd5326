// Push constants of the kernels that count the digits of all passes. Mirrored in
// algorithms/src/sort/radix_one_sweep.cpp.
//
// Gives:    args
//           uint weft_begin_of(pass), uint weft_mask_of(pass)   a pass's digit, as weft/thread/radix_key.glsl takes it
//           void weft_add_to_total(pass, digit, uint there)     adds to the output
// Macros:   WEFT_DIGITS   digits of each pass in the output
//           those of weft/thread/count.glsl
#ifndef WEFT_KERNELS_RADIX_HISTOGRAM_ARGUMENTS
#define WEFT_KERNELS_RADIX_HISTOGRAM_ARGUMENTS

#include "weft/device/tickets.glsl"
#include "weft/device/tree_up.glsl"
#include "weft/kernels/base/options.glsl"
#include "weft/thread/count.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) coherent buffer DigitCounters { uint word[]; };

const uint most_passes = 64u;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer PassTickets {
  uint next[most_passes];  // A pass's next tile. Past all tiles, the pass does nothing.
};

layout(push_constant, scalar) uniform Arguments {
  uvec2 keys;
  DigitCounters totals;
  PassTickets tickets;
  WeftTreeCounters counted;  // One: the workgroups of this dispatch that have counted.
  WeftCount count_on_device;
  uvec2 count;
  uint begin;  // The first pass's first bit.
  uint width;  // Bits of each pass's digit but the last.
  uint end;    // The last pass's last bit, exclusive.
  uint passes;
  uint options;
  uint groups;
  uint first_left_out;  // The first pass that may be left out with the next one.
  uint unused;
} args;

uint weft_begin_of(uint pass) { return args.begin + pass * args.width; }
uint weft_mask_of(uint pass) { return (1u << min(args.width, args.end - weft_begin_of(pass))) - 1u; }

void weft_add_to_total(uint pass, uint digit, uint there) {
  if (there == 0u) return;
  uint index = pass * WEFT_DIGITS + digit;
#ifdef WEFT_WIDE_INDEX
  uint low = atomicAdd(args.totals.word[2u * index], there);
  if (low + there < low) atomicAdd(args.totals.word[2u * index + 1u], 1u);
#else
  atomicAdd(args.totals.word[index], there);
#endif
}

#endif
