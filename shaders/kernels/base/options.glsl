// Bits of the `options` word in the push constants of Weft's own kernels. Mirrored in
// algorithms/src/base/kernel_options.h.
#ifndef WEFT_KERNELS_OPTIONS
#define WEFT_KERNELS_OPTIONS

const uint weft_source_vectors = 1u;       // The source starts at a multiple of 16 bytes.
const uint weft_destination_vectors = 2u;  // The destination does.
const uint weft_flags_vectors = 4u;        // The flags of a selection do.
const uint weft_count_on_device = 8u;      // The count is in device memory, and limited to the one beside it.
const uint weft_second_count_on_device = 16u;  // The same for the count of a second sequence.

bool weft_has(uint options, uint option) { return (options & option) != 0u; }

#endif
