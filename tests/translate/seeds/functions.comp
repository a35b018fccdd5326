// The functions of GLSL on scalars and vectors.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { vec4 data[]; };
layout(set = 0, binding = 1) buffer Words { ivec4 words[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = data[i], w = data[i + 1u];
  ivec4 n = words[i];
  v = mix(sin(v) + pow(abs(w), vec4(1.5)), exp2(-v), step(w, v));
  v += normalize(w) * length(v.xyz) + vec4(cross(v.xyz, w.xyz), distance(v.xy, w.xy));
  v = clamp(v, vec4(-2.0), max(w, vec4(3.0))) + fract(v) * floor(w) - roundEven(v);
  int exponent;
  float whole, fraction = frexp(v.x, exponent);
  v.y = modf(v.y, whole) + ldexp(fraction, exponent + 1) + whole;
  v.z = atan(v.z, w.z) + inversesqrt(abs(v.w) + 1.0) + smoothstep(0.0, 1.0, w.x);
  v = reflect(v, w) + faceforward(v, w, v.wzyx) + refract(v, w, 0.5);
  n = bitfieldInsert(n, bitCount(n), 3, 5) + findMSB(n) - findLSB(n) + bitfieldReverse(n);
  uint carry, high, low;
  uint added = uaddCarry(uint(n.x), uint(n.y), carry);
  umulExtended(added, uint(n.z), high, low);
  n.w += int(packHalf2x16(v.xy) ^ packSnorm4x8(v)) + int(carry + high + low);
  v += vec4(unpackUnorm2x16(uint(n.w)), unpackHalf2x16(uint(n.x))) + vec4(lessThan(n, words[i + 1u]));
  data[i] = any(isnan(v)) ? vec4(0.0) : v;
  words[i] = abs(n) % max(ivec4(v), ivec4(1)) + sign(n) + (n >> 2);
  data[i + 2u] *= determinant(mat3(v.xyz, w.xyz, v.zyx)) + float(all(equal(v, w)));
}
