// Four octaves of Perlin's gradient noise, for a slice of space. The gradients come from a hash of the corners.
#version 450
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, set = 0, binding = 0) writeonly buffer Noise { float noise[]; };
layout(push_constant) uniform Block { uint count, side; };

uint hash(uvec3 p) {
  uint h = p.x * 0x8da6b343u ^ p.y * 0xd8163841u ^ p.z * 0xcb1ab31fu;
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return h ^ (h >> 15);
}

float gradient(uvec3 corner, vec3 to) {
  uint h = hash(corner) & 15u;
  float u = h < 8u ? to.x : to.y;
  float v = h < 4u ? to.y : h == 12u || h == 14u ? to.x : to.z;
  return ((h & 1u) == 0u ? u : -u) + ((h & 2u) == 0u ? v : -v);
}

float perlin(vec3 p) {
  vec3 whole = floor(p), t = p - whole;
  uvec3 c = uvec3(ivec3(whole));
  vec3 s = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
  float bottom = mix(mix(gradient(c, t), gradient(c + uvec3(1, 0, 0), t - vec3(1, 0, 0)), s.x),
                     mix(gradient(c + uvec3(0, 1, 0), t - vec3(0, 1, 0)),
                         gradient(c + uvec3(1, 1, 0), t - vec3(1, 1, 0)), s.x), s.y);
  float top = mix(mix(gradient(c + uvec3(0, 0, 1), t - vec3(0, 0, 1)),
                      gradient(c + uvec3(1, 0, 1), t - vec3(1, 0, 1)), s.x),
                  mix(gradient(c + uvec3(0, 1, 1), t - vec3(0, 1, 1)),
                      gradient(c + uvec3(1, 1, 1), t - vec3(1, 1, 1)), s.x), s.y);
  return mix(bottom, top, s.z);
}

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  if (x >= side || y >= side) return;
  vec3 p = vec3(vec2(x, y) * 0.03125, 0.625);
  float sum = 0.0, amplitude = 0.5;
  for (int octave = 0; octave < 4; ++octave) {
    sum += amplitude * perlin(p);
    p *= 2.0;
    amplitude *= 0.5;
  }
  noise[y * side + x] = sum;
}
