// Counts the pixels at each level of luminance. Each workgroup counts a share of the image in workgroup memory, where
// atomics are cheap, and then adds its 256 totals to the result once. Pixels are read four at a time.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "weft/thread/memory.glsl"

const uint levels = 256;
layout(local_size_x = levels) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Histogram { uint at[levels]; };
layout(push_constant) uniform Arguments {
  uvec2 pixels;         // address of the pixels, a multiple of 16; red is the lowest byte of a pixel
  Histogram histogram;  // zero at the start
  uint count;           // number of pixels
};

shared uint bins[levels];

void count_pixel(uint rgba) {
  uint luminance = (77 * (rgba & 255) + 150 * (rgba >> 8 & 255) + 29 * (rgba >> 16 & 255)) >> 8;
  atomicAdd(bins[luminance], 1);
}

void main() {
  const uint level = gl_LocalInvocationIndex, first = gl_GlobalInvocationID.x;
  bins[level] = 0;
  barrier();
  for (uint i = first; i < count / 4; i += gl_NumWorkGroups.x * levels) {
    uvec4 four = weft_load_vector(pixels, 0, i);
    for (int k = 0; k < 4; ++k) count_pixel(four[k]);
  }
  if (first < count % 4) count_pixel(weft_load_word(pixels, 0, count / 4 * 4 + first));
  barrier();
  if (bins[level] != 0) atomicAdd(histogram.at[level], bins[level]);
}
