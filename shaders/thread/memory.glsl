// Device memory as words and as 16-byte vectors, addressed in blocks of 256 bytes.
//
// Gives:    uint weft_load_word(memory, block, word)         void weft_store_word(memory, block, word, value)
//           uvec4 weft_load_vector(memory, block, vector)    void weft_store_vector(memory, block, vector, value)
// Usage:    uint x = weft_load_word(uvec2(args.input), 0u, i);   // args.input is any buffer reference
//
// `memory` is the address of the first byte: a uvec2, because one address serves words and vectors alike and some
// drivers (SwiftShader) cannot turn one buffer reference into another. Array indices have 32 bits on every device and
// 64 on few, so a place is a block, and a word or vector counted from that block's start. That reaches 512 GiB.
// Vectors need memory that starts at a multiple of 16 bytes, words at one of 4.
#ifndef WEFT_THREAD_MEMORY
#define WEFT_THREAD_MEMORY

#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require

const uint weft_block_words = 64u;
const uint weft_block_vectors = 16u;

struct WeftWordBlock {
  uint word[weft_block_words];
};
struct WeftVectorBlock {
  uvec4 vector[weft_block_vectors];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer WeftWords { WeftWordBlock block[]; };
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer WeftVectors { WeftVectorBlock block[]; };

uint weft_load_word(uvec2 memory, uint block, uint word) {
  return WeftWords(memory).block[block + word / weft_block_words].word[word % weft_block_words];
}
void weft_store_word(uvec2 memory, uint block, uint word, uint value) {
  WeftWords(memory).block[block + word / weft_block_words].word[word % weft_block_words] = value;
}

uvec4 weft_load_vector(uvec2 memory, uint block, uint vector) {
  return WeftVectors(memory).block[block + vector / weft_block_vectors].vector[vector % weft_block_vectors];
}
void weft_store_vector(uvec2 memory, uint block, uint vector, uvec4 value) {
  WeftVectors(memory).block[block + vector / weft_block_vectors].vector[vector % weft_block_vectors] = value;
}

#endif
