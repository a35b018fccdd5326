// A pool of buffers of one size, which subgroups and workgroups take while they need one and give back.
//
// Gives:    WeftPool   the block of weft::Pool (weft/pool.h), a member of the push constants
//           uint weft_pool_take_subgroup(pool)    index of a buffer for this subgroup, the same in all lanes
//           uint weft_pool_take_workgroup(pool)   one for the workgroup
//           uint weft_pool_take(pool, seed)       one for this invocation; by any invocation, at any time
//                           weft_pool_none if all were taken. The search starts at a hash of the subgroup's or
//                           workgroup's number, or of `seed`
//           void weft_pool_give_subgroup(pool, index), weft_pool_give_workgroup(pool, index), weft_pool_give(pool,
//                           index)   give it back; weft_pool_none is allowed
//           uvec2 weft_pool_address(pool, index)   the address of its first byte, for a buffer reference
// Macros:   none
// Usage:    layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Stack { nonprivate uint at[]; };
//           ...
//           uint index = weft_pool_take_subgroup(args.pool);
//           if (index == weft_pool_none) { ... }   // the same in all lanes
//           Stack stack = Stack(weft_pool_address(args.pool, index));
//           ...
//           weft_pool_give_subgroup(args.pool, index);
// Progress: P0. A subgroup that takes again until it gets a buffer waits for those that hold one: P1, if they give it
//           back without reaching a barrier and without taking a second one. Workgroups pass barriers while they hold a
//           buffer, so do not let them wait: SwiftShader may never resume a workgroup at a barrier while others poll.
//
// All lanes of the subgroup, or invocations of the workgroup, call its functions together. Members of a buffer that
// more than one invocation accesses are declared nonprivate (weft/device/lock.glsl says why). Between lanes of a
// subgroup that share a buffer, ordering is up to the kernel. A kernel gives back all that it took before it ends, or
// a later dispatch does.
#ifndef WEFT_DEVICE_POOL
#define WEFT_DEVICE_POOL

#pragma use_vulkan_memory_model
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require

#include "weft/device/taken_bits.glsl"
#include "weft/device/tickets.glsl"
#include "weft/thread/memory.glsl"

// Addresses, because some drivers (SwiftShader) cannot copy a struct of buffer references.
struct WeftPool {
  uvec2 taken, buffers;
  uint count, buffer_bytes;
};

const uint weft_pool_none = 0xFFFFFFFFu;

uvec2 weft_pool_address(WeftPool pool, uint index) {
  return weft_element_address(pool.buffers, pool.buffer_bytes, index);
}

uint weft_pool_take(WeftPool pool, uint seed) {
  uint words = (pool.count + 31u) / 32u, first = weft_spread(seed, pool.count), word = first / 32u;
  first %= 32u;
  for (uint k = 0u; k < words; ++k) {
    uint bit = weft_take_bit(WeftTakenBits(pool.taken), word, min(pool.count - word * 32u, 32u), first);
    if (bit != weft_no_bit) return word * 32u + bit;
    word = word + 1u == words ? 0u : word + 1u;
    first = 0u;
  }
  return weft_pool_none;
}

void weft_pool_give(WeftPool pool, uint index) {
  if (index < pool.count) weft_give_bit(WeftTakenBits(pool.taken), index / 32u, index % 32u);
}

// One lane's acquire or release orders its own accesses alone, so every lane has a fence.
uint weft_pool_take_subgroup(WeftPool pool) {
  uint index = weft_pool_none;
  if (subgroupElect()) index = weft_pool_take(pool, weft_group_index() * gl_NumSubgroups + gl_SubgroupID);
  index = subgroupBroadcastFirst(index);
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  return index;
}

void weft_pool_give_subgroup(WeftPool pool, uint index) {
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  // The vote ends when all lanes have passed their fence.
  if (subgroupAny(index < pool.count) && subgroupElect()) weft_pool_give(pool, index);
}

shared uint weft_pool_taken;

void weft_pool_barrier() {
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

uint weft_pool_take_workgroup(WeftPool pool) {
  if (gl_LocalInvocationIndex == 0u) weft_pool_taken = weft_pool_take(pool, weft_group_index());
  weft_pool_barrier();
  uint index = subgroupBroadcastFirst(weft_pool_taken);
  barrier();  // The next call writes it again.
  return index;
}

void weft_pool_give_workgroup(WeftPool pool, uint index) {
  weft_pool_barrier();
  if (gl_LocalInvocationIndex == 0u) weft_pool_give(pool, index);
}

#endif
