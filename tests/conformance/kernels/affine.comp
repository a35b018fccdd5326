// data[i] = data[i] * factor + addend for i < count: a step whose order matters.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 64) in;
layout(push_constant, scalar) uniform Push {
  Words data;
  uint count;
  uint factor;
  uint addend;
  uint unused;
} push;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < push.count) push.data.v[i] = push.data.v[i] * push.factor + push.addend;
}
