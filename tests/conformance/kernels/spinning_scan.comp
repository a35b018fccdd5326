// result[i] = source[0] + ... + source[i], one tile per workgroup, by decoupled look-back in which each lane spins on a
// tile of its own: lanes leave the loop at different times, and a ballot follows it.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#pragma use_vulkan_memory_model

layout(local_size_x = 128) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Numbers { uint v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer States { uint64_t v[]; };
layout(push_constant, scalar) uniform Push {
  Numbers source, result;
  States states;   // of the tiles: the sum in the low half, aggregate or prefix in the high half; initially zero
  Numbers ticket;  // initially zero
  uint count;
  uint unused;
} push;

const uint aggregate = 1u, prefix = 2u;
shared uint claimed, carry, parts[128];

void publish(uint tile, uint status, uint sum) {
  atomicStore(push.states.v[tile], packUint2x32(uvec2(sum, status)), gl_ScopeDevice, gl_StorageSemanticsBuffer,
              gl_SemanticsRelaxed);
}

// Returns the carry of `tile`, in the first subgroup.
uint look_back(uint tile) {
  uint before = 0u;
  int end = int(tile);
  bool done = tile == 0u;
  while (!done) {
    int mine = end - 1 - int(gl_SubgroupInvocationID);
    uvec2 seen = uvec2(0u, prefix);
    if (mine >= 0) {
      do {
        seen = unpackUint2x32(
            atomicLoad(push.states.v[mine], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed));
      } while (seen.y == 0u);
    }
    uvec4 prefixes = subgroupBallot(seen.y == prefix);
    bool found = subgroupBallotBitCount(prefixes) != 0u;
    uint nearest = found ? subgroupBallotFindLSB(prefixes) : gl_SubgroupSize;
    before += subgroupAdd(gl_SubgroupInvocationID <= nearest ? seen.x : 0u);
    done = found;
    end -= int(gl_SubgroupSize);
  }
  return before;
}

void main() {
  if (gl_LocalInvocationIndex == 0u) claimed = atomicAdd(push.ticket.v[0], 1u);
  barrier();
  uint tile = claimed, i = tile * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  uint inclusive = subgroupInclusiveAdd(i < push.count ? push.source.v[i] : 0u);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) parts[gl_SubgroupID] = inclusive;
  barrier();
  uint earlier = 0u, total = 0u;
  for (uint s = 0u; s < gl_NumSubgroups; ++s) {
    if (s < gl_SubgroupID) earlier += parts[s];
    total += parts[s];
  }
  if (gl_SubgroupID == 0u) {
    if (gl_SubgroupInvocationID == 0u) publish(tile, tile == 0u ? prefix : aggregate, total);
    uint before = look_back(tile);
    if (gl_SubgroupInvocationID == 0u) {
      publish(tile, prefix, before + total);
      carry = before;
    }
  }
  barrier();
  if (i < push.count) push.result.v[i] = carry + earlier + inclusive;
}
