// target[i] = source[count - 1 - i] + addend for i < count.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 64) in;
layout(push_constant, scalar) uniform Push {
  Words source;
  Words target;
  uint count;
  uint addend;
} push;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) push.target.v[i] = push.source.v[push.count - 1 - i] + push.addend;
}
