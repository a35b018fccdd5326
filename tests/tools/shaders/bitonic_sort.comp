// Sorts 1024 keys with their values in the memory of one workgroup.
#version 450
layout(local_size_x = 512) in;
layout(binding = 0) buffer Keys { uint keys[]; };
layout(binding = 1) buffer Values { uint values[]; };
shared uvec2 items[1024];

void compare_and_swap(uint i, uint j) {
  uvec2 a = items[i], b = items[j];
  if (a.x > b.x || (a.x == b.x && a.y > b.y)) {
    items[i] = b;
    items[j] = a;
  }
}

void main() {
  uint t = gl_LocalInvocationID.x, base = gl_WorkGroupID.x * 1024;
  items[t] = uvec2(keys[base + t], values[base + t]);
  items[t + 512] = uvec2(keys[base + t + 512], values[base + t + 512]);
  for (uint h = 2; h <= 1024; h <<= 1) {
    barrier();
    uint q = ((2 * t) / h) * h, half_size = h / 2;
    compare_and_swap(q + t % half_size, q + h - 1 - t % half_size);
    for (uint hh = half_size; hh > 1; hh /= 2) {
      barrier();
      uint d = ((2 * t) / hh) * hh + t % (hh / 2);
      compare_and_swap(d, d + hh / 2);
    }
  }
  barrier();
  keys[base + t] = items[t].x;
  values[base + t] = items[t].y;
  keys[base + t + 512] = items[t + 512].x;
  values[base + t + 512] = items[t + 512].y;
}
