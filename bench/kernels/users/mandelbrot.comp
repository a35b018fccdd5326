// After how many steps, 256 at most, z^2 + c leaves the circle of radius 2, for c in an image of the whole set.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) writeonly buffer Steps { uint steps[]; };
layout(push_constant) uniform Block { uint count, side; };

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  if (x >= side || y >= side) return;
  vec2 c = vec2(-2.0, -1.5) + 3.0 / float(side) * vec2(x, y);
  vec2 z = c;
  uint i = 0u;
  for (; i < 256u; ++i) {
    if (z.x * z.x + z.y * z.y > 4.0) break;
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
  }
  steps[y * side + x] = i;
}
