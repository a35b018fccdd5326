// Fills words of memory. Each invocation fills eight blocks of 16 bytes, a workgroup apart.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require

layout(local_size_x = 128) in;  // supported by every device
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Blocks { uvec4 v[]; };
layout(push_constant) uniform Block {
  Blocks blocks;    // aligned to 16 bytes
  uint begin, end;  // indices of the words to fill, from `blocks`
  uint word;
};

void main() {
  uint first = gl_WorkGroupID.x * 1024 + gl_LocalInvocationID.x;
  [[unroll]] for (uint i = 0; i < 8; ++i) {
    uint block = first + i * 128, at = block * 4;
    if (at >= begin && at + 4 <= end) {
      blocks.v[block] = uvec4(word);
    } else {
      for (uint part = 0; part < 4; ++part) {
        if (at + part >= begin && at + part < end) blocks.v[block][part] = word;
      }
    }
  }
}
