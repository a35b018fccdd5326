// Draws instance k as a square around the k-th particle from the back.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "particles.glsl"

layout(push_constant) uniform Arguments {
  mat4 camera;
  vec2 size;  // half a side at w = 1, in clip coordinates
  Particles living;
  Words order;
};

layout(location = 0) out vec2 corner;
layout(location = 1) out vec3 color;

void main() {
  const Particle p = living.at[order.at[gl_InstanceIndex]];
  corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2 - 1;
  color = mix(vec3(1, 0.8, 0.3), vec3(0.1, 0.3, 1), p.age / p.life);
  gl_Position = camera * vec4(p.position, 1);
  gl_Position.xy += corner * size;
}
