// Scalars in device memory as bits, for code that compares and moves them whatever their type.
//
// Gives:    uvec2 weft_load_bits(memory, uint bytes, uint element)         the low word in x
//           void weft_store_bits(memory, uint bytes, uint element, bits)
// Macros:   WEFT_STORAGE8, WEFT_STORAGE16   for scalars of 1 and of 2 bytes, see weft/thread/memory.glsl
//           WEFT_PAIR_ALIGN   optional: alignment of the addresses of 8-byte scalars, 4 or 8; 8 without it
// Usage:    uvec2 key = weft_load_bits(weft_element_address(args.keys, 8u, first), 8u, gl_LocalInvocationIndex);
//
// `bytes` is a literal, 1, 2, 4 or 8. Bits above a narrow scalar's are zero when loaded. `element` has 32 bits, and its
// offset is below 4 GiB.
#ifndef WEFT_THREAD_BITS
#define WEFT_THREAD_BITS

#include "weft/thread/memory.glsl"

#ifndef WEFT_PAIR_ALIGN
#define WEFT_PAIR_ALIGN 8
#endif

layout(buffer_reference, scalar, buffer_reference_align = WEFT_PAIR_ALIGN) buffer WeftPairs { uvec2 pair[]; };

uvec2 weft_load_bits(uvec2 memory, uint bytes, uint element) {
  if (bytes == 8u) return WeftPairs(memory).pair[element];
#ifdef WEFT_STORAGE8
  if (bytes == 1u) return uvec2(weft_load_byte(memory, 0u, element), 0u);
#endif
#ifdef WEFT_STORAGE16
  if (bytes == 2u) return uvec2(weft_load_half(memory, 0u, element), 0u);
#endif
  return uvec2(WeftWords(memory).word[element], 0u);
}

void weft_store_bits(uvec2 memory, uint bytes, uint element, uvec2 bits) {
  if (bytes == 8u) WeftPairs(memory).pair[element] = bits;
  if (bytes == 4u) WeftWords(memory).word[element] = bits.x;
#ifdef WEFT_STORAGE16
  if (bytes == 2u) weft_store_half(memory, 0u, element, bits.x);
#endif
#ifdef WEFT_STORAGE8
  if (bytes == 1u) weft_store_byte(memory, 0u, element, bits.x);
#endif
}

#endif
