// Atomics, barriers and workgroup memory.
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint count; int least; uint64_t total; uint bins[256]; };
layout(set = 0, binding = 1) volatile buffer Flags { uint flags[]; };
shared uint local_bins[256];
shared float tile[16][17];
shared uint64_t last;

void main() {
  uint lane = gl_LocalInvocationIndex;
  for (uint i = lane; i < 256u; i += 64u) local_bins[i] = 0u;
  tile[lane & 15u][lane >> 4] = float(lane);
  barrier();
  atomicAdd(local_bins[flags[lane] & 255u], 1u);
  atomicMax(last, uint64_t(lane));
  uint seen = atomicCompSwap(count, lane, lane + 1u);
  atomicMin(least, int(seen) - 3);
  atomicAdd(total, uint64_t(local_bins[lane]), gl_ScopeDevice, gl_StorageSemanticsBuffer,
            gl_SemanticsAcquireRelease);
  memoryBarrierShared();
  barrier();
  for (uint i = lane; i < 256u; i += 64u) atomicOr(bins[i], local_bins[i]);
  if (lane == 0u)
    atomicExchange(flags[0], atomicLoad(count, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire));
  bins[lane] ^= uint(tile[lane >> 4][lane & 15u]) + uint(last);
}
