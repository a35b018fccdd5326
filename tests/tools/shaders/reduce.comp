// The maximum and sum of a workgroup's elements; the program chooses the workgroup size.
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint SIZE = 64;
layout(constant_id = 1) const uint ITEMS = 2;
layout(binding = 0) readonly buffer Input { int values[]; };
layout(binding = 1) writeonly buffer Output { ivec2 results[]; };
shared ivec2 scratch[SIZE];

void main() {
  int largest = -2147483647 - 1, sum = 0;
  uint base = gl_WorkGroupID.x * SIZE * ITEMS + gl_LocalInvocationID.x;
  for (uint i = 0; i < ITEMS; i++) {
    int x = values[base + i * SIZE];
    largest = max(largest, x);
    sum += x;
  }
  scratch[gl_LocalInvocationID.x] = ivec2(largest, sum);
  barrier();
  for (uint s = SIZE / 2; s > 0; s >>= 1) {
    if (gl_LocalInvocationID.x < s) {
      ivec2 other = scratch[gl_LocalInvocationID.x + s], mine = scratch[gl_LocalInvocationID.x];
      scratch[gl_LocalInvocationID.x] = ivec2(max(mine.x, other.x), mine.y + other.y);
    }
    barrier();
  }
  if (gl_LocalInvocationID.x == 0) results[gl_WorkGroupID.x] = scratch[0];
}
