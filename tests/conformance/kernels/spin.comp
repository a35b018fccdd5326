// Runs `rounds` dependent steps in one invocation and stores the result: work that takes long and then ends.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push {
  Words result;
  uint rounds;
  uint seed;
} push;

void main() {
  uint x = push.seed;
  for (uint i = 0; i < push.rounds; ++i) x = x * 1664525u + 1013904223u;
  push.result.v[0] = x;
}
