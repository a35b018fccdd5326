// C = alpha * A * B + beta * C, with a tile of 16 x 16 per workgroup.
#version 450
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = 0) readonly buffer MatA { float a[]; };
layout(std430, binding = 1) readonly buffer MatB { float b[]; };
layout(std430, binding = 2) buffer MatC { float c[]; };
layout(push_constant) uniform Dims { uint M; uint N; uint K; float alpha; float beta; } dims;

shared float tile_a[TILE][TILE];
shared float tile_b[TILE][TILE];

void main() {
  uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
  uint ly = gl_LocalInvocationID.y, lx = gl_LocalInvocationID.x;
  precise float acc = 0.0;
  for (uint t = 0; t < (dims.K + TILE - 1) / TILE; t++) {
    uint ka = t * TILE + lx, kb = t * TILE + ly;
    tile_a[ly][lx] = row < dims.M && ka < dims.K ? a[row * dims.K + ka] : 0.0;
    tile_b[ly][lx] = kb < dims.K && col < dims.N ? b[kb * dims.N + col] : 0.0;
    barrier();
    for (int k = 0; k < TILE; k++) acc += tile_a[ly][k] * tile_b[k][lx];
    barrier();
  }
  if (row < dims.M && col < dims.N) {
    uint idx = row * dims.N + col;
    precise float result = dims.alpha * acc + dims.beta * c[idx];
    c[idx] = result;
  }
}
