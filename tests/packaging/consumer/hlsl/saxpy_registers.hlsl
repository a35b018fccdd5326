StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
cbuffer Parameters : register(b0) { float a; uint count; };

[numthreads(64, 1, 1)]
void CSMain(uint3 id : SV_DispatchThreadID) {
  if (id.x < count) y[id.x] += a * x[id.x];
}
