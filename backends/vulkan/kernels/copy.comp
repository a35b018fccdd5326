// Copies words of memory. Each invocation copies eight blocks of 16 bytes, a workgroup apart, and loads all before it
// stores the first. The source may be misaligned relative to the destination. Its address is an integer because
// SwiftShader cannot convert one buffer reference to another.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 128) in;  // supported by every device
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Blocks { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer SourceBlocks { uvec4 v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer SourceWords { uint v[]; };
layout(push_constant) uniform Block {
  Blocks destination;  // aligned to 16 bytes
  uvec2 source;        // address of the word that holds the first byte for it
  uint begin, end;     // indices of the words to write, from `destination`
  uint shift;          // bit offset of that byte in its word
  uint whole_blocks;   // 1 if `shift` is 0 and the source is aligned to 16 bytes
};

const uint rows = 8, row = 128, tile = rows * row;

uint source_word(uint at) { return SourceWords(source).v[at]; }

uint word_at(uint at) {
  uint low = source_word(at);
  if (shift == 0) return low;
  return low >> shift | source_word(at + 1) << (32 - shift);
}

uvec4 block_at(uint block) {
  uint at = block * 4;
  uvec4 low = uvec4(source_word(at), source_word(at + 1), source_word(at + 2), source_word(at + 3));
  if (shift == 0) return low;
  return low >> shift | uvec4(low.yzw, source_word(at + 4)) << (32 - shift);
}

void copy_tile(uint first) {
  uvec4 x[rows];
  if (whole_blocks != 0) {
    [[unroll]] for (uint i = 0; i < rows; ++i) x[i] = SourceBlocks(source).v[first + i * row];
  } else {
    [[unroll]] for (uint i = 0; i < rows; ++i) x[i] = block_at(first + i * row);
  }
  [[unroll]] for (uint i = 0; i < rows; ++i) destination.v[first + i * row] = x[i];
}

// Copies the part of a tile that is in range.
void copy_part(uint first) {
  uvec4 x[rows];
  [[unroll]] for (uint i = 0; i < rows; ++i) {
    uint at = (first + i * row) * 4;
    if (at >= end) continue;
    [[unroll]] for (uint part = 0; part < 4; ++part) x[i][part] = word_at(clamp(at + part, begin, end - 1));
  }
  [[unroll]] for (uint i = 0; i < rows; ++i) {
    uint block = first + i * row, at = block * 4;
    if (at >= begin && at + 4 <= end) {
      destination.v[block] = x[i];
    } else {
      [[unroll]] for (uint part = 0; part < 4; ++part) {
        if (at + part >= begin && at + part < end) destination.v[block][part] = x[i][part];
      }
    }
  }
}

void main() {
  uint group = gl_WorkGroupID.x * tile;
  if (group * 4 >= begin && (group + tile) * 4 <= end) {
    copy_tile(group + gl_LocalInvocationID.x);
  } else {
    copy_part(group + gl_LocalInvocationID.x);
  }
}
