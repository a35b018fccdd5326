#include "operations.hlsli"

[[vk::binding(0)]] RWStructuredBuffer<int> values;

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  values[id.x] = WavePrefixSum(remainder(values[id.x]));
}
