// Never ends, and has no visible effect.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push {
  Words flag;
} push;

void main() {
  uint sum = 0;
  for (uint i = 0;; ++i) {
    sum += i;
    if (sum == 0xffffffffu && i == 5) break;
  }
  push.flag.v[0] = sum;
}
