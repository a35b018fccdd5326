// Never ends: waits for a word that is never set.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push {
  Words flag;
} push;

void main() {
  while (atomicAdd(push.flag.v[0], 0) == 0) {
  }
}
