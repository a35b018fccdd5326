[[vk::binding(0)]] StructuredBuffer<float> x;
[[vk::binding(1)]] RWStructuredBuffer<float> y;
[[vk::push_constant]] cbuffer Parameters { float a; uint count; };

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
  if (id.x < count) y[id.x] += a * x[id.x];
}
