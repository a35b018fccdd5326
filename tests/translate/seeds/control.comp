// Loops, selections and switches of many shapes, and functions that call one another.
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

uint twice(uint x) { return 2u * x; }
uint thrice(uint x) { return twice(x) + x; }
void bump(inout uint a, in uint by, out uint old) {
  old = a;
  if (by > 10u) return;
  a += by;
}
uint find(uint wanted) {
  for (uint i = 0u; i < 16u; ++i) {
    if (data[i] == wanted) return i;
    if ((data[i] & 1u) != 0u) continue;
    for (uint k = i;; k += 3u) {
      if (k > 20u) break;
      if (data[k] == wanted + 1u) return k;
    }
  }
  return ~0u;
}

void main() {
  uint i = gl_GlobalInvocationID.x, sum = 0u, old;
  if (i >= uint(data.length())) return;
  switch (data[i] % 7u) {
    case 0u: sum = 1u;
    case 1u: sum += 2u; break;
    case 5u:
      for (int k = 0; k < 4; ++k) {
        if (data[k] == 3u) break;
        switch (k) {
          case 2: continue;
          default: sum += uint(k);
        }
      }
    default: sum ^= thrice(i);
  }
  do {
    bump(sum, data[sum & 7u], old);
    sum = sum > 50u && i != 3u ? sum - 50u : sum + 1u;
  } while (sum < 40u);
  uint nested = 0u;
  while (true) {
    if (nested++ > 5u) {
      if (sum > 7u) break;
      if (sum > 5u) return;
    }
    sum += nested;
  }
  data[i] = sum + find(old);
}
