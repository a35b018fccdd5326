// Specialization constants of every kind, and computations with them.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 0) const uint WIDTH = 16;
layout(constant_id = 1) const uint HEIGHT = 2;
layout(constant_id = 2) const int OFFSET = -3;
layout(constant_id = 3) const bool FLIP = true;
layout(constant_id = 4) const float SCALE = 1.5;
layout(constant_id = 5) const uint64_t LARGE = 1ul;
layout(constant_id = 6) const uint COUNT = 4;
const uint CELLS = WIDTH * HEIGHT + 1u;
const int SHIFTED = (OFFSET << 2) / 3 + (FLIP ? 5 : -5);
const uvec3 SIZES = uvec3(WIDTH, CELLS / COUNT, CELLS % COUNT);
shared uint cells[CELLS];
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) buffer More { float more[]; } buffers[COUNT];

void main() {
  uint i = gl_LocalInvocationIndex;
  float own[COUNT];
  for (uint k = 0u; k < COUNT; ++k) own[k] = SCALE * float(k);
  cells[i % CELLS] = uint(SHIFTED) + SIZES[i % 3u];
  barrier();
  if (FLIP) data[i] = cells[CELLS - 1u - i % CELLS] + uint(LARGE >> 3);
  buffers[1].more[i] = own[i % COUNT] + own[COUNT - 1u];
}
