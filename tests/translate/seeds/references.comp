// Pointers into buffers, and numbers of every width.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 16) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Node {
  Node next;
  uint8_t tag;
  int16_t small;
  float16_t half_value;
  f16vec3 halves;
  uint64_t big;
  double wide;
  i8vec4 bytes[12];
};
layout(push_constant) uniform Push { Node first; uvec2 raw; uint steps; } push;

void main() {
  Node node = push.first;
  Node other = Node(push.raw);
  for (uint i = 0u; i < push.steps && uint64_t(node) != 0ul; ++i) {
    node.small += int16_t(node.tag) - 3s;
    node.half_value = fma(node.half_value, 0.5hf, float16_t(node.small));
    node.halves = node.halves.zxy * node.half_value;
    node.big = (node.big << 3) + uint64_t(int64_t(node.wide)) / max(other.big, 1ul);
    node.wide = sqrt(abs(node.wide)) + double(node.big) - double(node.small);
    node.bytes[i] += i8vec4(int8_t(i)) * node.bytes[i + 1u].wxyz;
    node = node.next;
  }
  other[gl_LocalInvocationID.x].tag = uint8_t(node.bytes[0].x);
}
