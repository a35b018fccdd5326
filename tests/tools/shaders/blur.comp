// A separable Gaussian blur of an RGBA8 image in a buffer; pixels beyond the edge repeat it.
#version 460
layout(local_size_x = 8, local_size_y = 8, local_size_z = 1) in;
layout(set = 0, binding = 0, std430) restrict readonly buffer Source { uint src[]; };
layout(set = 0, binding = 1, std430) restrict writeonly buffer Target { uint dst[]; };
layout(set = 1, binding = 0, std140) uniform Kernel { int radius; float weights[8]; } kernel;
layout(push_constant) uniform Constants { ivec2 size; ivec2 direction; };

vec4 fetch(ivec2 at) {
  at = clamp(at, ivec2(0), size - 1);
  return unpackUnorm4x8(src[at.y * size.x + at.x]);
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, size))) return;
  vec4 sum = fetch(at) * kernel.weights[0];
  for (int i = 1; i <= kernel.radius; ++i) {
    sum += (fetch(at + i * direction) + fetch(at - i * direction)) * kernel.weights[i];
  }
  dst[at.y * size.x + at.x] = packUnorm4x8(sum);
}
