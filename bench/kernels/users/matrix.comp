// Products of matrices of 16 x 16: a workgroup for each, and an invocation for each element.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) readonly buffer A { float a[]; };
layout(std430, set = 0, binding = 1) readonly buffer B { float b[]; };
layout(std430, set = 0, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Block { uint count, side; };

void main() {
  uint first = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u;
  if (first + 256u > count) return;
  uint row = gl_LocalInvocationID.y, column = gl_LocalInvocationID.x;
  float sum = 0.0;
  for (uint k = 0u; k < 16u; ++k) sum += a[first + row * 16u + k] * b[first + k * 16u + column];
  c[first + row * 16u + column] = sum;
}
