// Moves the bodies by a step: pushes, gravity, and walls of the cube from -1 to 1.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "bodies.glsl"

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= args.count) return;
  Body body = args.bodies.at[i];
  Push push = args.pushes.at[i];
  args.pushes.at[i] = Push(0, 0, 0, 0u);
  body.contacts = push.contacts;
  body.velocity += vec3(push.x, push.y, push.z) / unit + vec3(0.0, -2.0, 0.0) * args.step;
  body.velocity *= 0.998;
  body.at += body.velocity * args.step;
  vec3 most = vec3(1.0 - body.radius);
  vec3 inside = clamp(body.at, -most, most);
  body.velocity = mix(body.velocity, -0.5 * body.velocity, notEqual(body.at, inside));
  body.at = inside;
  args.bodies.at[i] = body;
}
