// Accesses sectors of 32 bytes at random: reads, writes or updates as many as there are.
// Tile: 8 accesses for each invocation, a workgroup size apart. All reads start before the first is used.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require

#include "weft/thread/memory.glsl"

layout(local_size_x = 256) in;
layout(push_constant, scalar) uniform Block {
  uvec2 sectors;
  uvec2 sums;  // A word for each invocation.
  uint count;  // Of sectors, and of accesses.
  uint mode;   // 0 reads, 1 writes, 2 updates.
};

const uint items = 8;

uint sector_of(uint access) {
  uint x = access * 0x9E3779B9u;
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  x ^= x >> 16;
  uint high, low;
  umulExtended(x, count, high, low);
  return high;
}

uvec4 load(uint access) {
  uint sector = access < count ? sector_of(access) : 0u;
  uint block = sector / 8u, vector = sector % 8u * 2u;
  return weft_load_vector(sectors, block, vector) ^ weft_load_vector(sectors, block, vector + 1u);
}

void write(uint access) {
  uint sector = sector_of(access);
  weft_store_vector(sectors, sector / 8u, sector % 8u * 2u, uvec4(access));
  weft_store_vector(sectors, sector / 8u, sector % 8u * 2u + 1u, uvec4(~access));
}

void update(uint access) {
  uint sector = sector_of(access);
  atomicAdd(WeftWords(weft_block_address(sectors, sector / 8u)).word[sector % 8u * 8u], 1u);
}

void main() {
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint first = group * (256u * items) + gl_LocalInvocationID.x;
  if (mode == 0u) {
    uvec4 x[items];
    [[unroll]] for (uint i = 0u; i < items; ++i) x[i] = load(first + i * 256u);
    uvec4 sum = uvec4(0u);
    [[unroll]] for (uint i = 0u; i < items; ++i) {
      if (first + i * 256u < count) sum ^= x[i];
    }
    WeftWords(sums).word[group * 256u + gl_LocalInvocationID.x] = sum.x ^ sum.y ^ sum.z ^ sum.w;
  } else {
    for (uint i = 0u; i < items; ++i) {
      uint access = first + i * 256u;
      if (access >= count) break;
      if (mode == 1u) write(access); else update(access);
    }
  }
}
