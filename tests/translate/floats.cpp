#include <bit>
#include <cmath>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Floating-point instructions of every width: comparisons of any bits are checked with C++, the rest with drivers.

using namespace weft;
using namespace weft::test;

namespace {

struct Comparison {
  const char* name;
  bool (*holds)(double a, double b);
};

const Comparison comparisons[] = {
    {"OpFOrdEqual", [](double a, double b) { return a == b; }},
    {"OpFUnordEqual", [](double a, double b) { return !(a < b || a > b); }},
    {"OpFOrdNotEqual", [](double a, double b) { return a < b || a > b; }},
    {"OpFUnordNotEqual", [](double a, double b) { return a != b; }},
    {"OpFOrdLessThan", [](double a, double b) { return a < b; }},
    {"OpFUnordLessThan", [](double a, double b) { return !(a >= b); }},
    {"OpFOrdGreaterThan", [](double a, double b) { return a > b; }},
    {"OpFUnordGreaterThan", [](double a, double b) { return !(a <= b); }},
    {"OpFOrdLessThanEqual", [](double a, double b) { return a <= b; }},
    {"OpFUnordLessThanEqual", [](double a, double b) { return !(a > b); }},
    {"OpFOrdGreaterThanEqual", [](double a, double b) { return a >= b; }},
    {"OpFUnordGreaterThanEqual", [](double a, double b) { return !(a < b); }},
};

// Numbers, and infinities and NaNs where a word's low bits are zero.
double special(const Invocation& i, uint32_t k, double number) {
  switch (i.u(k) & 3) {
    case 0:
      return NAN;
    case 1:
      return i.u(k) & 4 ? INFINITY : -INFINITY;
    default:
      return number;
  }
}

KernelCase compared(uint32_t width) {
  const std::string w = number(width), type = width == 32 ? "%float" : "%float" + w;
  std::string text = width == 32 ? "" : "OpCapability Float" + w + "\n" + type + " = OpTypeFloat " + w + "\n";
  text += "%one = OpConstant " + type + " 1\n%none = OpConstant " + type + " 0\n%inf = OpConstant " + type + " 0x1p+" +
          (width == 16   ? "16"
           : width == 32 ? "128"
                         : "1024") +
          "\n%minus_inf = OpConstant " + type + " -0x1p+" +
          (width == 16   ? "16"
           : width == 32 ? "128"
                         : "1024") +
          "\n%nan = OpConstant " + type + " 0x1.8p+" +
          (width == 16   ? "16"
           : width == 32 ? "128"
                         : "1024") +
          "\n";
  if (width != 32) text += "%v2other = OpTypeVector " + type + " 2\n";
  const std::string pair = width == 32 ? "%v2float" : "%v2other";
  for (const char* k : {"0", "1"}) {
    text += replaced(replaced(R"(
      %small_K = OpBitwiseAnd %uint %u2K %c3
      %number_K = OpConvertUToF TYPE %small_K
      %low_K = OpBitwiseAnd %uint %uK %c3
      %is_nan_K = OpIEqual %bool %low_K %c0
      %is_inf_K = OpIEqual %bool %low_K %c1
      %sign_K = OpBitwiseAnd %uint %uK %c4
      %is_positive_K = OpIEqual %bool %sign_K %c4
      %signed_inf_K = OpSelect TYPE %is_positive_K %inf %minus_inf
      %finite_K = OpSelect TYPE %is_inf_K %signed_inf_K %number_K
      %x_K = OpSelect TYPE %is_nan_K %nan %finite_K
      %nan_K = OpIsNan %bool %x_K
      %inf_K = OpIsInf %bool %x_K
      putb %nan_K
      putb %inf_K)",
                              "K", k),
                     "TYPE", type) +
            "\n";
  }
  text = replaced(replaced(text, "%u20", "%u2"), "%u21", "%u3");
  text += "%forth = OpCompositeConstruct " + pair + " %x_0 %x_1\n%back = OpCompositeConstruct " + pair + " %x_1 %x_0\n";
  for (const Comparison& c : comparisons) {
    const std::string id = std::string("%") + c.name;
    text += id + " = " + c.name + " %bool %x_0 %x_1\nputb " + id + "\n" + id + "_v = " + c.name +
            " %v2bool %forth %back\n" + id + "_1 = OpCompositeExtract %bool " + id + "_v 1\nputb " + id + "_1\n";
  }
  return assembly("comparisons of " + w + "-bit floats", text).judged_by([](const Invocation& i) {
    const double a = special(i, 0, i.u(2) & 3), b = special(i, 1, i.u(3) & 3);
    std::vector<uint32_t> results{std::isnan(a), std::isinf(a), std::isnan(b), std::isinf(b)};
    for (const Comparison& c : comparisons) {
      results.push_back(c.holds(a, b));
      results.push_back(c.holds(b, a));
    }
    return results;
  });
}

// Operations on floats of `width` bits, results as 32 bits. Those with two operands also on vectors.
KernelCase calculated(uint32_t width, bool precise, uint32_t ulps) {
  const std::string w = number(width), type = width == 32 ? "%float" : "%float" + w;
  std::string text = width == 32 ? "" : "OpCapability Float" + w + "\n" + type + " = OpTypeFloat " + w + "\n";
  text += "%glsl = OpExtInstImport \"GLSL.std.450\"\n";
  const std::string vector = width == 32 ? "%v2float" : "%v2other";
  if (width != 32) text += "%v2other = OpTypeVector " + type + " 2\n";
  for (int k = 0; k < 6; ++k) {
    const std::string n = number(k);
    text += "%x" + n + " = " + (width == 32 ? "OpCopyObject " : "OpFConvert ") + type + " %r" + n + "\n";
  }
  text += "%a = OpCompositeConstruct " + vector + " %x0 %x1\n%b_any = OpCompositeConstruct " + vector + " %x2 %x3\n" +
          "%half = OpConstant " + type + " 0.5\n%ten = OpConstant " + type + " 10\n%tens = OpCompositeConstruct " +
          vector + " %ten %ten\n%b = OpFAdd " + vector + " %b_any %tens\n";
  int k = 0;
  const auto show = [&](const std::string& instruction, bool is_vector) {
    const std::string id = "%q" + number(k++);
    text += id + " = " + replaced(replaced(instruction, "%V", vector), "%T", type) + "\n";
    if (precise) text += "OpDecorate " + id + " NoContraction\n";
    for (int c = 0; c < (is_vector ? 2 : 1); ++c) {
      std::string part = id;
      if (is_vector) {
        part = id + "_" + number(c);
        text += part + " = OpCompositeExtract " + type + " " + id + " " + number(c) + "\n";
      }
      if (width != 32) text += part + "_f = OpFConvert %float " + part + "\n";
      text += "putf " + part + (width != 32 ? "_f" : "") + "\n";
    }
  };
  for (const char* op : {"OpFAdd %V %a %b", "OpFSub %V %a %b", "OpFMul %V %a %b", "OpFDiv %V %a %b", "OpFNegate %V %a"})
    show(op, true);
  for (const char* op : {"OpFRem %T %x0 %ten", "OpFMod %T %x0 %ten", "OpDot %T %a %b"}) show(op, false);
  show("OpVectorTimesScalar %V %a %x4", true);
  if (!precise) {
    for (const char* op :
         {"OpExtInst %T %glsl FMin %x0 %x1", "OpExtInst %T %glsl FMax %x0 %x1", "OpExtInst %T %glsl NMin %x0 %x1",
          "OpExtInst %T %glsl NMax %x0 %x1", "OpExtInst %T %glsl FClamp %x0 %half %x2",
          "OpExtInst %T %glsl NClamp %x0 %half %ten", "OpExtInst %T %glsl FAbs %x0", "OpExtInst %T %glsl FSign %x0",
          "OpExtInst %T %glsl Floor %x0", "OpExtInst %T %glsl Ceil %x0", "OpExtInst %T %glsl Trunc %x0",
          "OpExtInst %T %glsl RoundEven %x0", "OpExtInst %T %glsl Step %x0 %x1"}) {
      show(replaced(op, "FClamp %x0 %half %x2", "FClamp %x0 %half %ten"), false);
    }
  }
  return assembly(std::string(precise ? "precise " : "") + "operations on " + w + "-bit floats", text, ulps);
}

}  // namespace

CORPUS("floats of every width") {
  std::vector<KernelCase> cases{compared(16),
                                compared(32),
                                compared(64),
                                calculated(32, false, 4),
                                calculated(32, true, 4),
                                calculated(64, false, 4),
                                calculated(64, true, 4),
                                calculated(16, false, 16384)};
  const std::string doubles = "#extension GL_EXT_shader_explicit_arithmetic_types_float64 : require\n";
  cases.push_back({"functions of doubles", doubles, R"(
      dvec2 v = dvec2(f(0), f(1)), w = dvec2(f(2), f(3)) + 10.0lf; double p = abs(double(f(4))) + 0.5lf;
      putf(float(mix(v.x, w.x, 0.25lf))); putf(float(smoothstep(-8.0lf, 8.0lf, v.x))); putf(float(fma(w.x, w.x, w.y))); putf(float(sqrt(p))); putf(float(inversesqrt(p)));
      putf(float(length(v))); putf(float(distance(v, w))); putf(float(normalize(w).y)); putf(float(reflect(v, normalize(w)).x)); putf(float(faceforward(v, w, v).y)); putf(float(cross(dvec3(v, 1.0lf), dvec3(w, 2.0lf)).z));
      double whole; putf(float(modf(v.x, whole))); putf(float(whole)); int e; putf(float(frexp(w.x, e))); put(uint(e)); putf(float(ldexp(v.y, 5))); putf(float(fract(v.x))); putf(float(mod(v.x, 3.0lf)));
      putf(float(determinant(dmat2(w, v + 20.0lf)))); putf(float((inverse(dmat2(w.x, 0.5lf, 0.25lf, 3.0lf)) * w).x)); put(uint(any(lessThan(v, w)))); put(uint(isnan(v.x)) + uint(isinf(w.y)));)",
                   64});
  const std::string halves = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n";
  cases.push_back({"functions of halves", halves, R"(
      f16vec2 v = f16vec2(f(0), f(1)), w = f16vec2(f(2), f(3)) + 10.0hf; float16_t p = abs(v.x) + 0.5hf;
      putf(float(mix(w.x, w.y, 0.25hf))); putf(float(smoothstep(-8.0hf, 8.0hf, v.x))); putf(float(fma(w.x, w.x, w.y))); putf(float(sqrt(p))); putf(float(inversesqrt(p)));
      putf(float(length(w))); putf(float(distance(v, w))); putf(float(normalize(w).y)); putf(float(cross(f16vec3(v, 1.0hf), f16vec3(w, 2.0hf)).z));
      putf(float(fract(v.x))); putf(float(sin(w.x * 0.1hf))); putf(float(cos(v.y * 0.1hf))); putf(float(exp2(v.x * 0.25hf))); putf(float(log2(p))); putf(float(pow(p, 1.5hf)));
      putf(float(atan(w.x, w.y))); putf(float(tanh(w.x * 0.1hf))); putf(float(radians(w.x))); putf(float(degrees(v.y)));
      f16mat2 m = f16mat2(w, v + 20.0hf); putf(float((m * w).x * 0.01hf)); putf(float(transpose(m)[0][1])); putf(float(outerProduct(v, w)[1][0]));)",
                   65536});
  cases.push_back({"exact results of halves", "#extension GL_EXT_shader_explicit_arithmetic_types : require\n", R"(
      f16vec2 v = f16vec2(i16vec2(ivec2(u(0) & 63u, u(1) & 63u))) * 0.5hf; float16_t whole, s = float16_t(int(u(2) & 31u) - 16) * 0.25hf; int e;
      putf(float(v.x + v.y)); putf(float(v.x * v.y)); putf(float(v.x - v.y)); putf(float(-v.x)); putf(float(modf(s, whole))); putf(float(whole)); putf(float(frexp(s, e))); put(uint(e)); putf(float(ldexp(s, 3)));
      putf(float(floor(s))); putf(float(ceil(s))); putf(float(trunc(s))); putf(float(roundEven(s))); putf(float(sign(s))); putf(float(min(s, v.x))); putf(float(max(s, v.y))); putf(float(clamp(s, -1.0hf, 1.0hf)));
      putf(float(step(s, v.x))); put(uint(all(lessThanEqual(v, v.yx)))); put(uint(isnan(s)) + uint(isinf(s))); putf(float(dot(v, v) * 0.125hf)); putf(float(reflect(v, f16vec2(1.0hf, 0.0hf)).x));
      put(uint(float16BitsToUint16(s))); putf(float(uint16BitsToFloat16(uint16_t(0x3c00u | (u(3) & 0x3ffu))))); put(packFloat2x16(v)); putf(float(unpackFloat2x16(0x3c004000u).y));)"});
  cases.push_back({"vectors of floats", "", R"(
      vec4 a = vec4(f(0), f(1), f(2), f(3)), b = vec4(f(4), f(5), f(6), f(7)) + 9.0; vec4 c = a + b * a - a / b; putf(c.x); putf(c.w); c = floor(a) + ceil(b) + trunc(a) + round(a * 4.0 + 0.25) + fract(b); putf(c.y); putf(c.z);
      c = min(a, b) + max(a, b) + clamp(a, vec4(-1.0), vec4(1.0)) + sign(a) + abs(a); putf(c.x); putf(c.w); c = mix(a, b, 0.5) + step(a, b) + smoothstep(vec4(-9.0), vec4(9.0), a); putf(c.y); c = mod(a, b); putf(c.z);
      vec4 whole; c = modf(a, whole); putf(c.x + whole.w); ivec4 e; c = frexp(b, e); putf(c.y); put(uint(e.z)); c = ldexp(a, ivec4(1, 2, 3, 4)); putf(c.w); bvec4 l = isnan(a / 0.0); put(uint(l.x)); putf(mix(a, b, greaterThan(a, b)).y);
      putf(sqrt(b).x); putf(radians(a).y); putf(degrees(a).z); c = fma(a, b, a); putf(c.w);)",
                   64});
  return cases;
}

// Structs of two results, which HLSL compilers prefer, and rarely used functions.
CORPUS("rare floating-point instructions") {
  return {
      assembly("two results in a struct", R"(
      %glsl = OpExtInstImport "GLSL.std.450"
      %two_floats = OpTypeStruct %float %float
      %float_and_int = OpTypeStruct %float %int
      %two_vectors = OpTypeStruct %v2float %v2float
      %vector_and_ints = OpTypeStruct %v2float %v2int
      %ptr_int = OpTypePointer Function %int
      %ptr_float = OpTypePointer Function %float
      %power = OpVariable %ptr_int Function
      %floor = OpVariable %ptr_float Function
      %v = OpCompositeConstruct %v2float %r1 %r2
      %share = OpExtInst %float %glsl Frexp %r1 %power
      %power_value = OpLoad %int %power
      %rest = OpExtInst %float %glsl Modf %r1 %floor
      %floor_value = OpLoad %float %floor
      %modf = OpExtInst %two_floats %glsl ModfStruct %r0
      %fraction = OpCompositeExtract %float %modf 0
      %whole = OpCompositeExtract %float %modf 1
      %frexp = OpExtInst %float_and_int %glsl FrexpStruct %r0
      %part = OpCompositeExtract %float %frexp 0
      %exponent = OpCompositeExtract %int %frexp 1
      %modfs = OpExtInst %two_vectors %glsl ModfStruct %v
      %fraction1 = OpCompositeExtract %float %modfs 0 1
      %whole0 = OpCompositeExtract %float %modfs 1 0
      %frexps = OpExtInst %vector_and_ints %glsl FrexpStruct %v
      %part1 = OpCompositeExtract %float %frexps 0 1
      %exponent0 = OpCompositeExtract %int %frexps 1 0
      putf %fraction
      putf %whole
      putf %part
      puti %exponent
      putf %fraction1
      putf %whole0
      putf %part1
      puti %exponent0
      putf %share
      puti %power_value
      putf %rest
      putf %floor_value)")
          .judged_by([](const Invocation& i) {
            const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
            int e0 = 0, e1 = 0, e2 = 0;
            float w0, w1, w2;
            const float m0 = std::modf(i.f(0), &w0), m1 = std::modf(i.f(1), &w1), m2 = std::modf(i.f(2), &w2);
            const float x0 = std::frexp(i.f(0), &e0), x1 = std::frexp(i.f(1), &e1), x2 = std::frexp(i.f(2), &e2);
            (void)w2;
            return std::vector<uint32_t>{bits(m0), bits(w0),     bits(x0), uint32_t(e0), bits(m2), bits(w1),
                                         bits(x2), uint32_t(e1), bits(x1), uint32_t(e1), bits(m1), bits(w1)};
          }),
      assembly("exponents of 64 bits", R"(
      OpCapability Int64
      %glsl = OpExtInstImport "GLSL.std.450"
      %long = OpTypeInt 64 1
      %v2long = OpTypeVector %long 2
      %three = OpConstant %long 3
      %far_below = OpConstant %long -4294967291
      %farther = OpConstant %long -4611686018427387904
      %two = OpConstantComposite %v2long %farther %three
      %v = OpCompositeConstruct %v2float %r0 %r1
      %low = OpSConvert %long %s2
      %far = OpISub %long %far_below %low
      %is_far = OpSLessThan %bool %far %far_below
      %exponent = OpSelect %long %is_far %far %three
      %a = OpExtInst %float %glsl Ldexp %r0 %three
      %b = OpExtInst %float %glsl Ldexp %r0 %far_below
      %c = OpExtInst %v2float %glsl Ldexp %v %two
      %low_c = OpCompositeExtract %float %c 0
      %high_c = OpCompositeExtract %float %c 1
      %d = OpExtInst %float %glsl Ldexp %r0 %exponent
      putf %a
      putf %b
      putf %low_c
      putf %high_c
      putf %d)",
               1)  // for zeros without a sign
          .judged_by([](const Invocation& i) {
            const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
            const uint32_t none = bits(std::copysign(0.0f, i.f(0)));
            const bool is_far = int32_t(i.u(2)) > 0;
            return std::vector<uint32_t>{bits(i.f(0) * 8), none, none, bits(i.f(1) * 8),
                                         is_far ? none : bits(i.f(0) * 8)};
          }),
      assembly("modes that ask for what is done anyway", R"(
      OpCapability DenormPreserve
      OpCapability SignedZeroInfNanPreserve
      OpCapability RoundingModeRTE
      OpExtension "SPV_KHR_float_controls"
      OpExecutionMode %main DenormPreserve 32
      OpExecutionMode %main SignedZeroInfNanPreserve 32
      OpExecutionMode %main RoundingModeRTE 32
      %least = OpConstant %float 0x1p-130
      %tiny = OpFMul %float %r0 %least
      %sum = OpFAdd %float %tiny %least
      putf %tiny
      putf %sum)")
          .version(5)
          .judged_by([](const Invocation& i) {
            const float tiny = i.f(0) * 0x1p-130f;
            return std::vector<uint32_t>{std::bit_cast<uint32_t>(tiny), std::bit_cast<uint32_t>(tiny + 0x1p-130f)};
          }),
      {"geometry of scalars, doubles and halves", "#extension GL_EXT_shader_explicit_arithmetic_types : require\n", R"(
      float a = f(0) + 9.0, b = f(1) - 9.0; putf(length(b)); putf(distance(a, b)); putf(normalize(b)); putf(dot(a, b)); putf(reflect(a, 1.0)); putf(faceforward(a, b, a)); putf(faceforward(a, a, a)); putf(refract(0.5, -1.0, 0.7)); putf(refract(0.1, 0.2, 9.0));
      dvec3 v = normalize(dvec3(f(2) + 9.0, f(3), f(4))), n = normalize(dvec3(f(5), f(6) + 9.0, f(7))); dvec3 r = refract(v, n, 0.7lf); putf(float(r.x)); putf(float(r.z)); r = reflect(v, n); putf(float(r.y)); putf(float(length(double(b)))); putf(float(normalize(double(b))));
      f16vec2 h = normalize(f16vec2(f(2) + 9.0, f(3))); f16vec2 q = refract(h, f16vec2(0.0hf, 1.0hf), 0.5hf); putf(float(q.x)); putf(float(length(float16_t(b)))); putf(float(reflect(h, f16vec2(1.0hf, 0.0hf)).x));)",
       32768},
      {"functions of one vector of two", "", R"(
      vec2 v = vec2(f(0), f(1)), p = abs(v) + 0.25, n = v * 0.1; vec2 c;
      c = exp(n); putf(c.y); c = exp2(n); putf(c.x); c = log(p); putf(c.y); c = log2(p); putf(c.x); c = pow(p, vec2(0.5, 2.0)); putf(c.y); c = inversesqrt(p); putf(c.x);
      c = sin(n); putf(c.y); c = cos(n); putf(c.x); c = tan(n); putf(c.y); c = asin(n); putf(c.x); c = acos(n); putf(c.y); c = atan(v); putf(c.x); c = atan(v, p); putf(c.y);
      c = sinh(n); putf(c.x); c = cosh(n); putf(c.y); c = tanh(n); putf(c.x); c = asinh(v); putf(c.y); c = acosh(p + 1.0); putf(c.x); c = atanh(n); putf(c.y);)",
       65536}};
}
