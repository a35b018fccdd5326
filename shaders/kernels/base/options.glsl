// Bits of the `options` word in the push constants of Weft's own kernels. Mirrored in
// algorithms/src/base/kernel_options.h.
//
// Gives:    bool weft_has(options, option)
//           uvec2 weft_count(number, options, location), weft_second_count()
//                    the number; or the count in device memory, limited to it
//           void weft_write_count(location, options, count)   a result
#ifndef WEFT_KERNELS_OPTIONS
#define WEFT_KERNELS_OPTIONS

#include "weft/thread/count.glsl"

const uint weft_source_vectors = 1u;           // The source starts at a multiple of 16 bytes.
const uint weft_destination_vectors = 2u;      // The destination does.
const uint weft_flags_vectors = 4u;            // The flags of a selection do.
const uint weft_count_on_device = 8u;          // The count is in device memory, and limited to the one beside it.
const uint weft_second_count_on_device = 16u;  // The same for the count of a second sequence.
const uint weft_count_is_word = 32u;           // The count in device memory has 32 bits, not 64.
const uint weft_second_count_is_word = 64u;    // The second one has.
const uint weft_written_count_is_word = 128u;  // The counts that the kernel writes have.

bool weft_has(uint options, uint option) { return (options & option) != 0u; }

uvec2 weft_count(uvec2 number, uint options, WeftCount location) {
  if (!weft_has(options, weft_count_on_device)) return number;
  return weft_min(weft_load_count(location, weft_has(options, weft_count_is_word)), number);
}

uvec2 weft_second_count(uvec2 number, uint options, WeftCount location) {
  if (!weft_has(options, weft_second_count_on_device)) return number;
  return weft_min(weft_load_count(location, weft_has(options, weft_second_count_is_word)), number);
}

void weft_write_count(WeftCount location, uint options, uvec2 count) {
  weft_store_count(location, weft_has(options, weft_written_count_is_word), count);
}

#endif
