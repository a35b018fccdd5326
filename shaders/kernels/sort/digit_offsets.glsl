// Device memory between the dispatches of a radix sort's pass without look-back, for each digit and tile: first counts,
// then the offset of the tile's keys of that digit among all sorted keys.
//
// Gives:    WeftDigitOffsets weft_digit_offsets(memory, tiles, digit)   buffer reference to a digit's `tiles` entries
// Macros:   those of weft/thread/count.glsl
#ifndef WEFT_KERNELS_DIGIT_OFFSETS
#define WEFT_KERNELS_DIGIT_OFFSETS

#include "weft/thread/memory.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftDigitOffsets { WeftIndex tile[]; };

WeftDigitOffsets weft_digit_offsets(uvec2 memory, uint tiles, uint digit) {
#ifdef WEFT_WIDE_INDEX
  const uint bytes = 8u;
#else
  const uint bytes = 4u;
#endif
  return WeftDigitOffsets(weft_element_address(memory, bytes, weft_multiply(weft_wide(tiles), digit)));
}

#endif
