// Device memory as words, as 16-byte vectors and as bytes or halves of words, addressed in blocks of 256 bytes.
//
// Gives:    uint weft_load_word(memory, block, word)         void weft_store_word(memory, block, word, value)
//           uvec4 weft_load_vector(memory, block, vector)    void weft_store_vector(memory, block, vector, value)
//           with WEFT_STORAGE8:   uint weft_load_byte(memory, block, byte)    void weft_store_byte(..., value)
//           with WEFT_STORAGE16:  uint weft_load_half(memory, block, half)    void weft_store_half(..., value)
//           values are of their low bits, the others zero when loaded
//           uvec2 weft_element_address(memory, uint bytes, element)   where an element of so many bytes starts, anywhere
//           in memory; `element` is a uint or, of 64 bits, a uvec2
// Macros:   WEFT_STORAGE8, WEFT_STORAGE16   define them where kernels may have 8- and 16-bit members in buffers
// Usage:    uint x = weft_load_word(uvec2(args.input), 0u, i);   // args.input is any buffer reference
//
// `memory` is the address of the first byte: a uvec2, because one address serves words and vectors alike and some
// drivers (SwiftShader) cannot turn one buffer reference into another. Array indices have 32 bits, and NVIDIA's driver
// multiplies them by the array's stride in 32 bits as well. So a place is a block, which moves the address, and a word
// or vector less than 4 GiB from that block's start. Blocks reach 1 TiB.
// Vectors need memory that starts at a multiple of 16 bytes, words at one of 4, halves at one of 2.
#ifndef WEFT_THREAD_MEMORY
#define WEFT_THREAD_MEMORY

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

#include "weft/thread/count.glsl"

const uint weft_block_words = 64u;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWords { uint word[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer WeftVectors { uvec4 vector[]; };

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

uint weft_load_word(uvec2 memory, uint block, uint word) {
  return WeftWords(weft_block_address(memory, block)).word[word];
}
void weft_store_word(uvec2 memory, uint block, uint word, uint value) {
  WeftWords(weft_block_address(memory, block)).word[word] = value;
}

#ifdef WEFT_STORAGE8
#extension GL_EXT_shader_8bit_storage : require
layout(buffer_reference, scalar, buffer_reference_align = 1) buffer WeftBytes { uint8_t byte[]; };

uint weft_load_byte(uvec2 memory, uint block, uint byte) {
  return uint(WeftBytes(weft_block_address(memory, block)).byte[byte]);
}
void weft_store_byte(uvec2 memory, uint block, uint byte, uint value) {
  WeftBytes(weft_block_address(memory, block)).byte[byte] = uint8_t(value);
}
#endif

#ifdef WEFT_STORAGE16
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, scalar, buffer_reference_align = 2) buffer WeftHalves { uint16_t value[]; };

uint weft_load_half(uvec2 memory, uint block, uint half_word) {
  return uint(WeftHalves(weft_block_address(memory, block)).value[half_word]);
}
void weft_store_half(uvec2 memory, uint block, uint half_word, uint value) {
  WeftHalves(weft_block_address(memory, block)).value[half_word] = uint16_t(value);
}
#endif

uvec4 weft_load_vector(uvec2 memory, uint block, uint vector) {
  return WeftVectors(weft_block_address(memory, block)).vector[vector];
}
void weft_store_vector(uvec2 memory, uint block, uint vector, uvec4 value) {
  WeftVectors(weft_block_address(memory, block)).vector[vector] = value;
}

#endif
