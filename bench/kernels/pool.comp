// Each invocation takes a buffer of a pool, or allocates 64 bytes, notes whether it got it, and gives it back.
#version 460
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 256) in;
layout(constant_id = 0) const bool allocates = false;

#include "weft/device/slab_allocator.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(push_constant) uniform Block {
  WeftSlabAllocator heap;  // its pool of slabs is the pool
  Words got;
  uint count, unused;
};

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationIndex;
  if (i >= count) return;
  if (allocates) {
    uvec2 block = weft_allocate(heap, 64u);
    got.at[i] = uint(weft_free(heap, block));
  } else {
    uint index = weft_pool_take(heap.slabs, i);
    got.at[i] = uint(index != weft_pool_none);
    weft_pool_give(heap.slabs, index);
  }
}
