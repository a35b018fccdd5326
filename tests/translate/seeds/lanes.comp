// Subgroup operations in divergent flow.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };

uint part(uint x) {
  if (x > 3u) return subgroupMin(x);
  return subgroupBallotBitCount(subgroupBallot(x == 1u)) + subgroupQuadSwapVertical(x);
}

void main() {
  uint x = data[gl_GlobalInvocationID.x], sum = 0u;
  for (uint i = 0u; i < x; ++i) {
    if (subgroupAny(i == 5u)) continue;
    sum += subgroupAdd(i);
    if (sum > 100u) break;
    switch (sum & 3u) {
      case 0u: sum += subgroupInclusiveMax(x);
      case 1u: sum ^= subgroupShuffle(sum, 3u); break;
      case 2u: if (x == 7u) return;
      default: sum += subgroupClusteredOr(sum, 4u);
    }
    if (subgroupElect()) data[i] = gl_SubgroupInvocationID;
    subgroupBarrier();
  }
  uvec4 active_lanes = subgroupBallot(sum > x);
  if (subgroupInverseBallot(active_lanes)) sum += subgroupBallotFindLSB(active_lanes) + part(sum);
  data[gl_GlobalInvocationID.x] = sum + subgroupBroadcastFirst(x) + subgroupShuffleUp(sum, 1u);
}
