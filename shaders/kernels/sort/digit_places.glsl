// What passes of a radix sort without waiting keep for each digit and tile: counts, and then places.
//
// Gives:    WeftTilePlaces weft_tile_places(memory, tiles, digit)   buffer reference to a digit's `tiles` places
// Macros:   those of weft/thread/count.glsl
#ifndef WEFT_KERNELS_DIGIT_PLACES
#define WEFT_KERNELS_DIGIT_PLACES

#include "weft/thread/memory.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftTilePlaces { WeftIndex tile[]; };

WeftTilePlaces weft_tile_places(uvec2 memory, uint tiles, uint digit) {
#ifdef WEFT_WIDE_INDEX
  const uint bytes = 8u;
#else
  const uint bytes = 4u;
#endif
  return WeftTilePlaces(weft_element_address(memory, bytes, weft_multiply(weft_wide(tiles), digit)));
}

#endif
