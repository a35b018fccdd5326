// Device memory as words and as 16-byte vectors, addressed in blocks of 256 bytes.
//
// Gives:    uint weft_load_word(memory, block, word)         void weft_store_word(memory, block, word, value)
//           uvec4 weft_load_vector(memory, block, vector)    void weft_store_vector(memory, block, vector, value)
// Usage:    uint x = weft_load_word(uvec2(args.input), 0u, i);   // args.input is any buffer reference
//
// `memory` is the address of the first byte: a uvec2, because one address serves words and vectors alike and some
// drivers (SwiftShader) cannot turn one buffer reference into another. Array indices have 32 bits, and NVIDIA's driver
// multiplies them by the array's stride in 32 bits as well. So a place is a block, which moves the address, and a word
// or vector less than 4 GiB from that block's start. Blocks reach 1 TiB.
// Vectors need memory that starts at a multiple of 16 bytes, words at one of 4.
#ifndef WEFT_THREAD_MEMORY
#define WEFT_THREAD_MEMORY

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

const uint weft_block_words = 64u;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWords { uint word[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer WeftVectors { uvec4 vector[]; };

uvec2 weft_block_address(uvec2 memory, uint block) {
  uint carry;
  uint low = uaddCarry(memory.x, block * 256u, carry);
  return uvec2(low, memory.y + block / 0x1000000u + carry);
}

uint weft_load_word(uvec2 memory, uint block, uint word) {
  return WeftWords(weft_block_address(memory, block)).word[word];
}
void weft_store_word(uvec2 memory, uint block, uint word, uint value) {
  WeftWords(weft_block_address(memory, block)).word[word] = value;
}

uvec4 weft_load_vector(uvec2 memory, uint block, uint vector) {
  return WeftVectors(weft_block_address(memory, block)).vector[vector];
}
void weft_store_vector(uvec2 memory, uint block, uint vector, uvec4 value) {
  WeftVectors(weft_block_address(memory, block)).vector[vector] = value;
}

#endif
