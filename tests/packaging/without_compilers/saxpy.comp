// y = factor * x + y.
#version 460
#extension GL_EXT_buffer_reference : require

layout(local_size_x = 128, local_size_x_id = 0) in;
layout(constant_id = 1) const uint items = 1;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer In { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer InOut { float at[]; };
layout(push_constant) uniform Arguments {
  In x;
  InOut y;
  uint count;
  float factor;
};

void main() {
  for (uint k = 0; k < items; ++k) {
    uint i = gl_GlobalInvocationID.x * items + k;
    if (i < count) y.at[i] = factor * x.at[i] + y.at[i];
  }
}
