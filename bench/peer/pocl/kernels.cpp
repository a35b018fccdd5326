#include "bench/peer/pocl/kernels.h"

namespace weft::peer {

const char* const kernels = R"(
kernel void saxpy(global const float* x, global const float* y, global float* z, uint count, uint side) {
  uint i = get_global_id(0);
  if (i >= count) return;
  z[i] = 2.5f * x[i] + y[i];
}

kernel void stencil(global const float* from, global float* to, uint count, uint side) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= side || y >= side) return;
  uint i = y * side + x;
  float centre = from[i];
  if (x == 0u || y == 0u || x == side - 1u || y == side - 1u) {
    to[i] = centre;
  } else {
    to[i] = 0.5f * centre + 0.125f * (from[i - 1u] + from[i + 1u] + from[i - side] + from[i + side]);
  }
}

kernel void mandelbrot(global uint* steps, uint count, uint side) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= side || y >= side) return;
  float2 c = (float2)(-2.0f, -1.5f) + 3.0f / (float)side * (float2)(x, y);
  float2 z = c;
  uint i = 0;
  for (; i < 256u; ++i) {
    if (z.x * z.x + z.y * z.y > 4.0f) break;
    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;
  }
  steps[y * side + x] = i;
}

kernel void n_body(global const float4* bodies, global float4* accelerations, uint count, uint side) {
  uint i = get_global_id(0);
  if (i >= count) return;
  float3 position = bodies[i].xyz, sum = (float3)(0.0f);
  uint sources = min(count, 256u);
  for (uint k = 0u; k < sources; ++k) {
    float4 other = bodies[k];
    float3 to = other.xyz - position;
    float near = rsqrt(dot(to, to) + 0.01f);
    sum += to * (other.w * near * near * near);
  }
  accelerations[i] = (float4)(sum, 0.0f);
}

float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

kernel void black_scholes(global const float* stock, global const float* strike, global const float* years,
                          global float2* prices, uint count, uint side) {
  uint i = get_global_id(0);
  if (i >= count) return;
  const float rate = 0.02f, volatility = 0.3f;
  float s = 5.0f + 25.0f * stock[i], x = 1.0f + 99.0f * strike[i], t = 0.25f + 9.75f * years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2), discounted = x * exp(-rate * t);
  prices[i] = (float2)(s * n1 - discounted * n2, discounted * (1.0f - n2) - s * (1.0f - n1));
}

uint hash(uint3 p) {
  uint h = p.x * 0x8da6b343u ^ p.y * 0xd8163841u ^ p.z * 0xcb1ab31fu;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return h ^ (h >> 15);
}

float gradient(uint3 corner, float3 to) {
  uint h = hash(corner) & 15u;
  float u = h < 8u ? to.x : to.y;
  float v = h < 4u ? to.y : h == 12u || h == 14u ? to.x : to.z;
  return ((h & 1u) == 0u ? u : -u) + ((h & 2u) == 0u ? v : -v);
}

float perlin(float3 p) {
  float3 whole = floor(p), t = p - whole;
  uint3 c = as_uint3(convert_int3(whole));
  float3 s = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
  float bottom = mix(mix(gradient(c, t), gradient(c + (uint3)(1, 0, 0), t - (float3)(1, 0, 0)), s.x),
                     mix(gradient(c + (uint3)(0, 1, 0), t - (float3)(0, 1, 0)),
                         gradient(c + (uint3)(1, 1, 0), t - (float3)(1, 1, 0)), s.x), s.y);
  float top = mix(mix(gradient(c + (uint3)(0, 0, 1), t - (float3)(0, 0, 1)),
                      gradient(c + (uint3)(1, 0, 1), t - (float3)(1, 0, 1)), s.x),
                  mix(gradient(c + (uint3)(0, 1, 1), t - (float3)(0, 1, 1)),
                      gradient(c + (uint3)(1, 1, 1), t - (float3)(1, 1, 1)), s.x), s.y);
  return mix(bottom, top, s.z);
}

kernel void noise(global float* noise, uint count, uint side) {
  uint x = get_global_id(0), y = get_global_id(1);
  if (x >= side || y >= side) return;
  float3 p = (float3)((float)x * 0.03125f, (float)y * 0.03125f, 0.625f);
  float sum = 0.0f, amplitude = 0.5f;
  for (int octave = 0; octave < 4; ++octave) {
    sum += amplitude * perlin(p);
    p *= 2.0f;
    amplitude *= 0.5f;
  }
  noise[y * side + x] = sum;
}

kernel void bitonic(global const uint* from, global uint* to, uint count, uint side) {
  uint i = get_global_id(0);
  const uint apart = 256u, block = 1024u;
  uint low = (i & ~(apart - 1u)) * 2u + (i & (apart - 1u)), high = low + apart;
  if ((low | 511u) >= count) return;
  uint a = from[low], b = from[high];
  bool ascending = (low & block) == 0u;
  if ((a > b) == ascending) {
    uint kept = a;
    a = b;
    b = kept;
  }
  to[low] = a;
  to[high] = b;
}

kernel void matrix(global const float* a, global const float* b, global float* c, uint count, uint side) {
  uint first = get_group_id(1) * 256u;
  if (first + 256u > count) return;
  uint row = get_local_id(1), column = get_local_id(0);
  float sum = 0.0f;
  for (uint k = 0u; k < 16u; ++k) sum += a[first + row * 16u + k] * b[first + k * 16u + column];
  c[first + row * 16u + column] = sum;
}
)";

}  // namespace weft::peer
