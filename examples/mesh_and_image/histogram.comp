// Counts the pixels of each level of luminance. Each workgroup counts a share of the image in its own memory, where
// atomics are cheap, and adds its 256 totals to the result once.
#version 460
#extension GL_EXT_buffer_reference : require

const uint levels = 256;
layout(local_size_x = levels) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Pixels { uint v[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Histogram { uint v[levels]; };
layout(push_constant) uniform Arguments {
  Pixels pixels;        // red in the lowest byte
  Histogram histogram;  // zero at the start
  uint count;           // of pixels
};

shared uint bins[levels];

uint luminance(uint rgba) {
  return (77 * (rgba & 255) + 150 * (rgba >> 8 & 255) + 29 * (rgba >> 16 & 255)) >> 8;
}

void main() {
  const uint lane = gl_LocalInvocationIndex;
  bins[lane] = 0;
  barrier();
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * levels) {
    atomicAdd(bins[luminance(pixels.v[i])], 1);
  }
  barrier();
  if (bins[lane] != 0) atomicAdd(histogram.v[lane], bins[lane]);
}
