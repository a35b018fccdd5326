// Device memory as words, as 16-byte vectors and as bytes or half words, addressed in blocks of 256 bytes.
//
// Gives:    uint weft_load_word(memory, block, word)         void weft_store_word(memory, block, word, value)
//           uvec4 weft_load_vector(memory, block, vector)    void weft_store_vector(memory, block, vector, value)
//           with WEFT_STORAGE8:   uint weft_load_byte(memory, block, byte)    void weft_store_byte(..., value)
//           with WEFT_STORAGE16:  uint weft_load_half(memory, block, half)    void weft_store_half(..., value)
//           uint weft_load_unit(memory, bytes, block, unit)    void weft_store_unit(memory, bytes, block, unit, value)
//                   the same for units of 1, 2 or 4 bytes; `bytes` is a literal
//           A byte or half word is in the low bits of its value; the other bits are zero when loaded.
//           WeftBlockOffset weft_block_offset(WeftIndex element, uint units, uint unit_bytes)
//                   the offset of an element of `units` units: .block, and .unit from the start of that block
//           uvec2 weft_element_address(memory, uint bytes, element)   the address of an element of that many bytes;
//                   `element` is a uint or, for 64 bits, a uvec2
// Macros:   WEFT_STORAGE8, WEFT_STORAGE16   define them if kernels may have 8- and 16-bit members in buffers
//           WEFT_COHERENCE   optional: `coherent` for memory through which invocations hand over data
//           those of weft/thread/count.glsl
// Usage:    uint x = weft_load_word(uvec2(args.input), 0u, i);   // args.input is any buffer reference
//
// `memory` is the address of the first byte: a uvec2, because one address serves words and vectors alike and some
// drivers (SwiftShader) cannot turn one buffer reference into another. Array indices have 32 bits, and NVIDIA's driver
// multiplies them by the array's stride in 32 bits too. So an offset is a block, which moves the address, and a word or
// vector less than 4 GiB from the start of that block. Blocks reach 1 TiB.
// Vectors need memory that starts at a multiple of 16 bytes, words at one of 4, half words at one of 2.
#ifndef WEFT_THREAD_MEMORY
#define WEFT_THREAD_MEMORY

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

#include "weft/thread/count.glsl"

#ifndef WEFT_COHERENCE
#define WEFT_COHERENCE
#endif

const uint weft_block_words = 64u;

layout(buffer_reference, scalar, buffer_reference_align = 4) WEFT_COHERENCE buffer WeftWords { uint word[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) WEFT_COHERENCE buffer WeftVectors { uvec4 vector[]; };

uvec2 weft_block_address(uvec2 memory, uint block) {
  uint carry;
  uint low = uaddCarry(memory.x, block * 256u, carry);
  return uvec2(low, memory.y + block / 0x1000000u + carry);
}

uvec2 weft_element_address(uvec2 memory, uint bytes, uvec2 element) {
  return weft_add(memory, weft_multiply(element, bytes));
}
uvec2 weft_element_address(uvec2 memory, uint bytes, uint element) {
  return weft_element_address(memory, bytes, weft_wide(element));
}

struct WeftBlockOffset {
  uint block, unit;
};

WeftBlockOffset weft_block_offset(WeftIndex element, uint units, uint unit_bytes) {
  uvec2 unit = weft_multiply(weft_wide(element), units);
  uint units_of_block = 256u / unit_bytes, blocks_in_4_giga_units = 0xFFFFFFFFu / units_of_block + 1u;
  return WeftBlockOffset(unit.y * blocks_in_4_giga_units + unit.x / units_of_block, unit.x % units_of_block);
}

uint weft_load_word(uvec2 memory, uint block, uint word) {
  return WeftWords(weft_block_address(memory, block)).word[word];
}
void weft_store_word(uvec2 memory, uint block, uint word, uint value) {
  WeftWords(weft_block_address(memory, block)).word[word] = value;
}

#ifdef WEFT_STORAGE8
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, scalar, buffer_reference_align = 1) WEFT_COHERENCE buffer WeftBytes { uint8_t byte[]; };

uint weft_load_byte(uvec2 memory, uint block, uint byte) {
  return uint(WeftBytes(weft_block_address(memory, block)).byte[byte]);
}
void weft_store_byte(uvec2 memory, uint block, uint byte, uint value) {
  WeftBytes(weft_block_address(memory, block)).byte[byte] = uint8_t(value);
}
#endif

#ifdef WEFT_STORAGE16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, scalar, buffer_reference_align = 2) WEFT_COHERENCE buffer WeftHalves { uint16_t value[]; };

uint weft_load_half(uvec2 memory, uint block, uint half_word) {
  return uint(WeftHalves(weft_block_address(memory, block)).value[half_word]);
}
void weft_store_half(uvec2 memory, uint block, uint half_word, uint value) {
  WeftHalves(weft_block_address(memory, block)).value[half_word] = uint16_t(value);
}
#endif

uint weft_load_unit(uvec2 memory, uint bytes, uint block, uint unit) {
#ifdef WEFT_STORAGE8
  if (bytes == 1u) return weft_load_byte(memory, block, unit);
#endif
#ifdef WEFT_STORAGE16
  if (bytes == 2u) return weft_load_half(memory, block, unit);
#endif
  return weft_load_word(memory, block, unit);
}
void weft_store_unit(uvec2 memory, uint bytes, uint block, uint unit, uint value) {
  if (bytes == 4u) weft_store_word(memory, block, unit, value);
#ifdef WEFT_STORAGE16
  if (bytes == 2u) weft_store_half(memory, block, unit, value);
#endif
#ifdef WEFT_STORAGE8
  if (bytes == 1u) weft_store_byte(memory, block, unit, value);
#endif
}

uvec4 weft_load_vector(uvec2 memory, uint block, uint vector) {
  return WeftVectors(weft_block_address(memory, block)).vector[vector];
}
void weft_store_vector(uvec2 memory, uint block, uint vector, uvec4 value) {
  WeftVectors(weft_block_address(memory, block)).vector[vector] = value;
}

#endif
