// Counts bytes: first in shared memory, then with one atomic for each nonempty bin.
#version 450
layout(local_size_x = 128) in;
layout(std430, set = 2, binding = 3) readonly buffer Bytes { uint words[]; } bytes;
layout(std430, set = 2, binding = 4) buffer Histogram { uint bins[256]; uint largest; } histogram;
layout(push_constant) uniform PC { uint wordCount; uint wordsPerInvocation; } pc;
shared uint local_bins[256];

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 256u; i += gl_WorkGroupSize.x) local_bins[i] = 0u;
  barrier();
  uint start = gl_WorkGroupID.x * gl_WorkGroupSize.x * pc.wordsPerInvocation + gl_LocalInvocationIndex;
  for (uint k = 0u; k < pc.wordsPerInvocation; ++k) {
    uint at = start + k * gl_WorkGroupSize.x;
    if (at >= pc.wordCount) break;
    uint word = bytes.words[at];
    for (int b = 0; b < 4; ++b) atomicAdd(local_bins[bitfieldExtract(word, 8 * b, 8)], 1u);
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 256u; i += gl_WorkGroupSize.x) {
    if (local_bins[i] == 0u) continue;
    atomicAdd(histogram.bins[i], local_bins[i]);
    atomicMax(histogram.largest, local_bins[i]);
  }
}
