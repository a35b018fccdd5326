#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

using namespace weft;
using namespace weft::test;

CORPUS("integer arithmetic") {
  return {
      {"add sub mul", "",
       "put(u(0) + u(1)); put(u(0) - u(1)); put(u(0) * u(1)); put(uint(-int(u(2)))); put(u(3) * 7u - 3u);"},
      {"division", "", R"(
      uint d = u(1) | 1u; int e = int((u(2) & ~4u) | 2u);
      put(u(0) / d); put(u(0) % d); put(uint(int(u(0)) / e)); put(u(0) / 7u); put(u(0) % 10u); put(uint(int(u(3)) / 3));)"},
      {"signed comparison", "", R"(
      int a = int(u(0)), b = int(u(1));
      put(uint(a < b)); put(uint(a <= b)); put(uint(a > b)); put(uint(a >= b)); put(uint(a == b)); put(uint(u(0) < u(1)));
      put(uint(u(0) >= u(1))); put(uint(max(a, b))); put(uint(min(a, b))); put(max(u(0), u(1))); put(min(u(0), u(1)));
      put(uint(clamp(a, -1000, 1000))); put(clamp(u(0), 10u, 1000u)); put(uint(abs(a))); put(uint(sign(a)));)"},
      {"vectors", "", R"(
      uvec4 a = uvec4(u(0), u(1), u(2), u(3)), b = uvec4(u(4), u(5), u(6), u(7));
      uvec4 c = (a + b) * (a ^ b) - (a & ~b) + (a | b); put(c.x); put(c.y); put(c.z); put(c.w);
      ivec3 d = ivec3(a.zyx) / (ivec3(b.xyz) & ~2 | 1) + ivec3(-5); put(uint(d.x)); put(uint(d.y)); put(uint(d.z));
      bvec4 e = lessThan(a, b); put(uint(any(e))); put(uint(all(e))); uvec4 g = mix(a, b, e); put(g.x); put(g.w);
      put(uint(all(equal(ivec4(a), ivec4(a))))); c.zx = a.xy; put(c.x + c.z);)"},
      {"extended", "", R"(
      uint carry, borrow, msb, lsb; int smsb, slsb;
      put(uaddCarry(u(0), u(1), carry)); put(carry); put(usubBorrow(u(0), u(1), borrow)); put(borrow);
      umulExtended(u(0), u(1), msb, lsb); put(msb); put(lsb); imulExtended(int(u(0)), int(u(1)), smsb, slsb);
      put(uint(smsb)); put(uint(slsb));
      uvec2 c2; uvec2 s2 = uaddCarry(uvec2(u(2), u(3)), uvec2(u(4), u(5)), c2); put(s2.x ^ s2.y); put(c2.x + 2u * c2.y);)"},
      {"bits", "", R"(
      put(u(0) << (u(1) & 31u)); put(u(0) >> (u(1) & 31u)); put(uint(int(u(0)) >> (u(1) & 31u))); put(u(0) << 5); put(u(0) >> 9u);
      put(bitfieldInsert(u(0), u(1), int(u(2) % 16u), int(u(3) % 16u))); put(bitfieldExtract(u(0), int(u(2) % 16u), int(u(3) % 17u)));
      put(uint(bitfieldExtract(int(u(0)), int(u(2) % 16u), int(u(3) % 17u)))); put(bitfieldReverse(u(0))); put(uint(bitCount(u(0))));
      put(uint(findLSB(u(0) & 0xffff0000u))); put(uint(findMSB(u(0) >> (u(1) & 31u)))); put(uint(findMSB(int(u(0)) >> int(u(1) & 31u))));
      put(uint(findLSB(0u))); put(uint(findMSB(0u))); put(~u(5));)"},
      {"64 bits", "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n", R"(
      uint64_t a = packUint2x32(uvec2(u(0), u(1))), b = packUint2x32(uvec2(u(2), u(3)));
      uvec2 x = unpackUint2x32(a * b + a / (b >> 40 | 1ul)); put(x.x); put(x.y);
      int64_t s = int64_t(a), t = int64_t(b); x = unpackUint2x32(uint64_t(s / (t >> 33 & ~2l | 1l) - int64_t(uint64_t(s) % 1000ul))); put(x.x); put(x.y);
      put(uint(s < t)); put(uint(a < b)); x = unpackUint2x32(uint64_t(int64_t(int(u(4))))); put(x.y); x = unpackUint2x32(uint64_t(s >> 7)); put(x.y);
      put(uint(max(s, t) == s)); put(uint(a << 13 >> 50)); put(uint(abs(s) >> 32)); x = unpackUint2x32(~a ^ b); put(x.x);)"},
      {"8 and 16 bits", "#extension GL_EXT_shader_explicit_arithmetic_types : require\n", R"(
      uint8_t a = uint8_t(u(0)), b = uint8_t(u(1)); int8_t c = int8_t(u(2)), d = int8_t(u(3));
      uint16_t e = uint16_t(u(4)), g = uint16_t(u(5)); int16_t h = int16_t(u(6)), k = int16_t(u(7));
      put(uint(a + b)); put(uint(a * b)); put(uint(int(c + d))); put(uint(int(c * d))); put(uint(e * g)); put(uint(int(h - k)));
      put(uint(int(h / (k & int16_t(-3) | int16_t(1))))); put(uint(a / (b | uint8_t(1)))); put(uint(int(c >> uint8_t(2)))); put(uint(c < d) + 2u * uint(a < b));
      put(uint(e << uint16_t(3))); put(uint(int(max(h, k)))); put(uint(~a)); put(uint(int(-c)));
      u8vec4 v = u8vec4(a, b, a, b) * u8vec4(3, 5, 7, 9); put(uint(v.x) | uint(v.y) << 8 | uint(v.z) << 16 | uint(v.w) << 24);
      i16vec2 w = i16vec2(h, k) - i16vec2(1, 2); put(uint(uint16_t(w.x)) | uint(uint16_t(w.y)) << 16);)"},
  };
}

// By the table in docs/spirv.md. Drivers have results of their own.
KernelCase left_open(const char* name, const char* body) {
  KernelCase one{name, "", body};
  one.wrong_on = "llvmpipe SwiftShader";
  return one;
}

CORPUS("remainders of negative integers, minima of NaNs and zeros") {
  return {left_open("remainders of negative integers",
                    "int a = int(u(0)) >> 8, b = int(u(1)) >> 20 | 1; put(uint(a % b)); put(uint(a - b * (a / b)));")
              .judged_by([](const Invocation& i) {
                const int a = int(i.u(0)) >> 8, b = int(i.u(1)) >> 20 | 1, truncated = a % b;
                const bool opposed = truncated != 0 && (truncated < 0) != (b < 0);
                return std::vector<uint32_t>{uint32_t(opposed ? truncated + b : truncated), uint32_t(truncated)};
              }),
          left_open("minima of NaNs and zeros", R"(
      float nan = uintBitsToFloat(u(0) | 0x7FC00000u), x = f(1), zero = uintBitsToFloat(u(2) & 0x80000000u);
      put(floatBitsToUint(min(nan, x))); put(floatBitsToUint(min(x, nan))); put(floatBitsToUint(max(nan, x)));
      put(floatBitsToUint(max(x, nan))); put(floatBitsToUint(clamp(nan, -1.0, x)));
      put(floatBitsToUint(min(zero, -zero))); put(floatBitsToUint(max(zero, -zero)));)")
              .judged_by([](const Invocation& i) {
                const uint32_t nan = i.u(0) | 0x7FC00000, x = std::bit_cast<uint32_t>(i.f(1)),
                               zero = i.u(2) & 0x80000000;
                return std::vector<uint32_t>{nan, x, nan, x, nan, zero, zero};
              })};
}

CORPUS("floating-point arithmetic") {
  return {
      {"float operations", "", R"(
      putf(f(0) + f(1)); putf(f(0) - f(1)); putf(f(0) * f(1)); putf(f(0) / f(1)); putf(-f(0)); putf(mod(f(0), f(1)));
      putf(f(0) * 3.0 + 0.25); putf(f(2) / 3.0); putf(float(int(f(3) * 100.0))); putf(float(uint(abs(f(3)) * 100.0)));)",
       4},
      {"comparison", "", R"(
      float z = f(0) - f(0), n = z / z; put(uint(f(0) < f(1))); put(uint(f(0) >= f(1))); put(uint(f(0) == f(0))); put(uint(f(0) != f(1)));
      put(uint(isnan(n))); put(uint(isinf(1.0 / z))); put(uint(!(f(0) < f(1)))); put(uint(!(f(0) >= f(1)))); put(uint(isnan(f(3))));)"},
      {"rounding", "", R"(
      putf(floor(f(0))); putf(ceil(f(0))); putf(trunc(f(0))); putf(roundEven(f(0) * 2.0)); putf(fract(f(0))); putf(abs(f(0))); putf(sign(f(0)));
      putf(min(f(0), f(1))); putf(max(f(0), f(1))); putf(clamp(f(0), -1.0, 1.0)); putf(step(f(0), f(1))); putf(mix(f(0), f(1), 0.25));
      putf(smoothstep(-4.0, 4.0, f(0))); float w; putf(modf(f(2), w)); putf(w); putf(fma(f(0), f(1), f(2)));)",
       8},
      {"roots and exponents", "", R"(
      float p = abs(f(0)) + 0.01; putf(sqrt(p)); putf(inversesqrt(p)); putf(exp2(f(1))); putf(log2(p)); putf(exp(f(1) * 0.5)); putf(log(p + 2.0));
      putf(pow(p, 1.5)); int e; putf(frexp(f(2), e)); putf(float(e)); putf(ldexp(f(2), 3)); putf(radians(f(3))); putf(degrees(f(3)));)",
       256},
      {"trigonometry", "", R"(
      putf(sin(f(0) * 0.3)); putf(cos(f(0) * 0.3)); putf(tan(f(0) * 0.1)); putf(asin(f(0) * 0.1)); putf(acos(f(0) * 0.1)); putf(atan(f(0)));
      putf(atan(f(0), f(1) == 0.0 ? 2.0 : f(1))); putf(sinh(f(0) * 0.2)); putf(cosh(f(0) * 0.2)); putf(tanh(f(0) * 0.2)); putf(asinh(f(0))); putf(acosh(abs(f(0)) + 1.5));
      putf(atanh(f(0) * 0.1));)",
       65536},
      KernelCase{"geometry", "", R"(
      vec3 a = vec3(f(0), f(1), f(2)), b = vec3(f(3), f(4), f(5)); putf(dot(a, b)); putf(length(a)); putf(distance(a, b));
      vec3 c = cross(a, b); putf(c.x); putf(c.y); putf(c.z); c = normalize(a); putf(c.x); c = reflect(a, normalize(b)); putf(c.y);
      c = refract(normalize(a + 0.001), normalize(b + 0.001), 0.7); putf(c.z); c = faceforward(a, b, b); putf(c.x); vec2 d = (a.xy + b.yz) * 0.5 / f(6); putf(d.x); putf(d.y);)",
                 4096}
          .within(1e-4f),
      KernelCase{"matrices", "", R"(
      mat3 m = mat3(f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8)); vec3 v = vec3(f(9), f(10), f(11));
      vec3 r = m * v; putf(r.x); putf(r.y); putf(r.z); r = v * m; putf(r.x); mat3 t = transpose(m); putf(t[0][2]); putf((m * t)[1][2]);
      putf((m * 2.0 - t)[2][0]); putf(determinant(m + mat3(20.0)) / 1024.0); mat2x3 o = outerProduct(v, v.xy); putf(o[1][2]); mat2 s = mat2(m) + mat2(5.0); putf(s[1][1]);
      mat2 i = inverse(mat2(2.0 + abs(f(0)), 0.5, 0.25, 3.0)); putf(i[0][0]); putf(i[1][0]); m[1].y = 7.0; m[int(u(12) % 3u)][2] = f(13); putf(m[1].y + m[2][2] + m[0][2]);)",
                 4096}
          .within(1e-4f),
      {"packing", "", R"(
      put(packSnorm4x8(vec4(f(0), f(1), f(2), f(3)) * 0.2)); put(packUnorm4x8(vec4(f(0), f(1), f(2), f(3)) * 0.2));
      put(packSnorm2x16(vec2(f(0), f(1)) * 0.2)); put(packUnorm2x16(vec2(f(0), f(1)) * 0.2)); put(packHalf2x16(vec2(f(0), f(1))));
      vec2 h = unpackHalf2x16(u(4) & 0xbbffbbffu); put(floatBitsToUint(h.x)); put(floatBitsToUint(h.y));
      put(uint(unpackUnorm4x8(u(4)).y * 255.0 + 0.5)); put(uint(int(round(unpackSnorm4x8(u(4)).z * 127.0))));
      put(uint(unpackUnorm2x16(u(4)).y * 65535.0 + 0.5)); put(uint(int(round(unpackSnorm2x16(u(4)).x * 32767.0))));)"},
      {"doubles", "", R"(
      double a = double(f(0)), b = double(f(1)) + 0.125lf; dvec2 v = dvec2(a, b); dvec2 w = v * 2.0lf + v.yx / (abs(v) + 1.0lf);
      putf(float(w.x)); putf(float(w.y)); putf(float(sqrt(abs(a)))); putf(float(floor(b))); uvec2 bits = unpackDouble2x32(a); putf(float(bits.y >> 20));
      putf(float(packDouble2x32(bits))); putf(float(int(a * 10.0lf))); putf(float(a < b ? a : b)); putf(float(dot(v, v)));)",
       4},
      {"halves", "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n", R"(
      float16_t a = float16_t(f(0)), b = float16_t(f(1)); putf(float(a + b)); putf(float(a * b)); putf(float(a - b)); putf(float(a < b ? a : b));
      f16vec2 v = f16vec2(a, b) * f16vec2(0.5hf, 2.0hf); putf(float(v.x)); putf(float(v.y)); putf(float(abs(a))); putf(float(floor(b))); put(packFloat2x16(v));
      putf(float(float16_t(int(u(3)) >> 20))); putf(float(int(a * 4.0hf)));)",
       1},
      {"precise", "",
       "precise float a = f(0) * f(1) + f(2); precise float b = f(0) - f(1) * f(3); putf(a); putf(b); "
       "put(floatBitsToUint(a + b));"},
  };
}
