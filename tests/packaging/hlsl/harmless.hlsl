[[vk::binding(0)]] RWStructuredBuffer<uint> values;

// Neither % of unsigned numbers nor WavePrefixCountBits() differs; this comment names WavePrefixSum().
[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  uint x = values[id.x];
  values[id.x] = x % DIVISOR + WavePrefixCountBits(x > 4) + WaveActiveSum(x);
}
