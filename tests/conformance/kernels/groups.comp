// Writes the group counts of an indirect dispatch: groups[0..2] = x, y, z.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"

layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push {
  Words groups;
  uint x;
  uint y;
  uint z;
  uint unused;
} push;

void main() {
  push.groups.v[0] = push.x;
  push.groups.v[1] = push.y;
  push.groups.v[2] = push.z;
}
