// Each texel's half and an eighth of its four neighbours'. The border is copied.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) readonly buffer From { float from[]; };
layout(std430, set = 0, binding = 1) writeonly buffer To { float to[]; };
layout(push_constant) uniform Block { uint count, side; };

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  if (x >= side || y >= side) return;
  uint i = y * side + x;
  float centre = from[i];
  if (x == 0u || y == 0u || x == side - 1u || y == side - 1u) {
    to[i] = centre;
  } else {
    to[i] = 0.5 * centre + 0.125 * (from[i - 1u] + from[i + 1u] + from[i - side] + from[i + side]);
  }
}
