#include <bit>
#include <cmath>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Conversions between numbers of every width, compared with C++.

using namespace weft;
using namespace weft::test;

namespace {

// Converts half floats through doubles, which represent them, and values between them, exactly.
double half_value(uint32_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 31  ? (fraction ? NAN : INFINITY)
                           : exponent == 0 ? std::ldexp(fraction, -24)
                                           : std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

uint32_t half_bits(double x) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  const double magnitude = std::fabs(x);
  if (std::isnan(x)) return sign | 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude is below 2^exponent
  const int lowest = std::max(exponent - 11, -24);
  const auto steps = uint32_t(std::nearbyint(std::ldexp(magnitude, -lowest)));  // of 2^lowest, ties to even
  return sign | (magnitude == 0 ? 0 : uint32_t(lowest + 24) * 1024 + steps);
}

std::string type_name(char kind, uint32_t width) {
  if (width == 32) return kind == 'f' ? "%float" : kind == 's' ? "%int" : "%uint";
  return std::string("%") + (kind == 'f' ? "float" : kind == 's' ? "int" : "uint") + number(width);
}

std::string declared(char kind, uint32_t width) {
  if (width == 32) return "";
  const std::string w = number(width);
  if (kind == 'f') return "OpCapability Float" + w + "\n%float" + w + " = OpTypeFloat " + w + "\n";
  return "OpCapability Int" + w + "\n" + type_name(kind, width) + " = OpTypeInt " + w + (kind == 's' ? " 1\n" : " 0\n");
}

// Widths are powers of two from 8 or 16 on. All conversions of integers to a wider or narrower type.
KernelCase between_integers(uint32_t from) {
  std::string text;
  for (const uint32_t width : {8, 16, 64}) text += declared('u', width) + declared('s', width);
  const std::string source = type_name('u', from), source_signed = type_name('s', from);
  if (from == 64) {
    text += "%pair = OpCompositeConstruct %v2uint %u0 %u1\n%x = OpBitcast %uint64 %pair\n";
  } else {
    text += std::string("%x = ") + (from == 32 ? "OpCopyObject" : "OpUConvert") + " " + source + " %u0\n";
  }
  text += "%sx = OpBitcast " + source_signed + " %x\n";
  const auto shown = [&](const std::string& id, char kind, uint32_t width) {
    if (width == 64) return "put64 " + id + "\n";
    if (width == 32) return (kind == 's' ? "puti " : "put ") + id + "\n";
    return id + "_word = " + (kind == 's' ? "OpSConvert %int " : "OpUConvert %uint ") + id + "\n" +
           (kind == 's' ? "puti " : "put ") + id + "_word\n";
  };
  for (const uint32_t to : {8, 16, 32, 64}) {
    if (to == from) continue;
    const std::string w = number(to);
    text += "%u_" + w + " = OpUConvert " + type_name('u', to) + " %x\n" + shown("%u_" + w, 'u', to);
    text += "%s_" + w + " = OpSConvert " + type_name('s', to) + " %sx\n" + shown("%s_" + w, 's', to);
    text += "%us_" + w + " = OpSConvert " + type_name('u', to) + " %sx\n" + shown("%us_" + w, 'u', to);
  }
  return assembly("integers of " + number(from) + " bits to other widths", text).judged_by([=](const Invocation& i) {
    const uint64_t x = cut(i.u(0) | uint64_t{i.u(1)} << 32, from);
    std::vector<uint32_t> results;
    const auto add = [&](uint64_t value, bool is_signed, uint32_t to) {
      if (to < 64) value = is_signed ? uint64_t(extended(value, to)) : cut(value, to);
      results.push_back(uint32_t(value));
      if (to == 64) results.push_back(uint32_t(value >> 32));
    };
    for (const uint32_t to : {8, 16, 32, 64}) {
      if (to == from) continue;
      add(x, false, to);
      add(uint64_t(extended(x, from)), true, to);
      add(uint64_t(extended(x, from)), false, to);
    }
    return results;
  });
}

// Integers of `width` bits to floats of all widths and back.
KernelCase with_floats(uint32_t width) {
  std::string text = declared('u', width) + declared('s', width) + declared('f', 16) + declared('f', 64);
  const std::string u = type_name('u', width), s = type_name('s', width);
  if (width == 64) {
    text += "%pair = OpCompositeConstruct %v2uint %u0 %u1\n%x = OpBitcast %uint64 %pair\n";
  } else {
    text += std::string("%x = ") + (width == 32 ? "OpCopyObject" : "OpUConvert") + " " + u + " %u0\n";
  }
  text += "%sx = OpBitcast " + s +
          " %x\n%small = OpFMul %float %r2 %f8\n%positive = OpFMul %float %small %small\n"
          "%down = OpConstant %float 0.05\n%low = OpFMul %float %positive %down\n";
  const auto put_float = [&](const std::string& id, uint32_t from) {
    if (from == 64) return "put64 " + id + "\n";
    if (from == 32) return "putf " + id + "\n";
    return id + "_float = OpFConvert %float " + id + "\nputf " + id + "_float\n";
  };
  const auto put_integer = [&](const std::string& id, char kind) {
    if (width == 64) return "put64 " + id + "\n";
    if (width == 32) return (kind == 's' ? "puti " : "put ") + id + "\n";
    return id + "_word = " + (kind == 's' ? "OpSConvert %int " : "OpUConvert %uint ") + id + "\n" +
           (kind == 's' ? "puti " : "put ") + id + "_word\n";
  };
  for (const uint32_t f : {16, 32, 64}) {
    const std::string w = number(f), type = type_name('f', f);
    text += "%u_" + w + " = OpConvertUToF " + type + " %x\n" + put_float("%u_" + w, f);
    text += "%s_" + w + " = OpConvertSToF " + type + " %sx\n" + put_float("%s_" + w, f);
    const std::string convert = f == 32 ? "OpCopyObject " : "OpFConvert ";
    text += "%low_" + w + " = " + convert + type + " %low\n%small_" + w + " = " + convert + type + " %small\n";
    text += "%to_u_" + w + " = OpConvertFToU " + u + " %low_" + w + "\n" + put_integer("%to_u_" + w, 'u');
    text += "%to_s_" + w + " = OpConvertFToS " + s + " %small_" + w + "\n" + put_integer("%to_s_" + w, 's');
  }
  return assembly("integers of " + number(width) + " bits to floats and back", text)
      .judged_by([=](const Invocation& i) {
        const uint64_t x = cut(i.u(0) | uint64_t{i.u(1)} << 32, width);
        const int64_t sx = extended(x, width);
        const float small = i.f(2) * 8.0f, low = small * small * 0.05f;
        std::vector<uint32_t> results;
        const auto add = [&](uint64_t value) {
          results.push_back(uint32_t(value));
          if (width == 64) results.push_back(uint32_t(value >> 32));
        };
        for (const int f : {16, 32, 64}) {
          if (f == 16) {
            for (const double value : {double(x), double(sx)})
              results.push_back(std::bit_cast<uint32_t>(float(half_value(half_bits(value)))));
            add(uint64_t(half_value(half_bits(low))));
            add(uint64_t(int64_t(half_value(half_bits(small)))));
          } else if (f == 32) {
            results.push_back(std::bit_cast<uint32_t>(float(x)));
            results.push_back(std::bit_cast<uint32_t>(float(sx)));
            add(uint64_t(low));
            add(uint64_t(int64_t(small)));
          } else {
            for (const double value : {double(x), double(sx)}) {
              results.push_back(uint32_t(std::bit_cast<uint64_t>(value)));
              results.push_back(uint32_t(std::bit_cast<uint64_t>(value) >> 32));
            }
            add(uint64_t(low));
            add(uint64_t(int64_t(small)));
          }
        }
        return results;
      });
}

}  // namespace

CORPUS("conversions") {
  std::vector<KernelCase> cases;
  for (const uint32_t width : {8, 16, 32, 64}) {
    cases.push_back(between_integers(width));
    cases.push_back(with_floats(width));
    cases.back().wrong_on = "llvmpipe";  // does not round in a conversion to half floats
  }
  // Any bits of a double: infinities, NaNs, and values that halves and floats round or cannot represent.
  cases.push_back(assembly("floats to other widths", declared('f', 16) + declared('f', 64) + declared('u', 16) + R"(
      %float_bits = OpBitcast %float %u0
      %pair = OpCompositeConstruct %v2uint %u1 %u2
      %double_bits = OpBitcast %float64 %pair
      %short_bits = OpUConvert %uint16 %u3
      %half_bits = OpBitcast %float16 %short_bits
      %float_to_half = OpFConvert %float16 %r4
      %back = OpFConvert %float %float_to_half
      %double_to_float = OpFConvert %float %double_bits
      %is_double_nan = OpIsNan %bool %double_bits
      %half_to_float = OpFConvert %float %half_bits
      %is_half_nan = OpIsNan %bool %half_bits
      %float_to_double = OpFConvert %float64 %r5
      %half_to_double = OpFConvert %float64 %float_to_half
      %tiny = OpConstant %float64 1e-05
      %wide = OpFMul %float64 %float_to_double %tiny
      %double_to_half = OpFConvert %float16 %wide
      %twice = OpFConvert %float %double_to_half
      %kept_float = OpSelect %float %is_double_nan %f0 %double_to_float
      %kept_half = OpSelect %float %is_half_nan %f0 %half_to_float
      putf %back
      putf %kept_float
      putf %kept_half
      put64 %float_to_double
      put64 %half_to_double
      putf %twice)")
                      .judged_by([](const Invocation& i) {
                        const auto bits = [](double x) { return std::bit_cast<uint32_t>(float(x)); };
                        const double wide = std::bit_cast<double>(i.u(1) | uint64_t{i.u(2)} << 32),
                                     half = half_value(i.u(3) & 0xffff);
                        const double to_half = half_value(half_bits(i.f(4)));
                        const uint64_t as_double = std::bit_cast<uint64_t>(double(i.f(5))),
                                       half_as_double = std::bit_cast<uint64_t>(to_half);
                        return std::vector<uint32_t>{bits(to_half),
                                                     std::isnan(wide) ? 0 : bits(wide),
                                                     std::isnan(half) ? 0 : bits(half),
                                                     uint32_t(as_double),
                                                     uint32_t(as_double >> 32),
                                                     uint32_t(half_as_double),
                                                     uint32_t(half_as_double >> 32),
                                                     bits(half_value(half_bits(double(i.f(5)) * 1e-05)))};
                      }));
  cases.back().wrong_on = "llvmpipe";
  cases.push_back(assembly("quantized floats", R"(
      %glsl = OpExtInstImport "GLSL.std.450"
      %tenth = OpConstant %float 0.1
      %many = OpConstant %float 20000
      %a = OpFMul %float %r0 %tenth
      %b = OpFMul %float %r1 %many
      %qa = OpQuantizeToF16 %float %a
      %qb = OpQuantizeToF16 %float %b
      %v = OpCompositeConstruct %v2float %r2 %r3
      %qv = OpQuantizeToF16 %v2float %v
      %q2 = OpCompositeExtract %float %qv 0
      %q3 = OpCompositeExtract %float %qv 1
      putf %qa
      putf %qb
      putf %q2
      putf %q3)")
                      .judged_by([](const Invocation& i) {
                        std::vector<uint32_t> results;
                        for (const float x : {i.f(0) * 0.1f, i.f(1) * 20000.0f, i.f(2), i.f(3)}) {
                          const double half = std::fabs(x) < 0x1p-14 ? std::copysign(0.0, x) : half_value(half_bits(x));
                          results.push_back(std::bit_cast<uint32_t>(float(half)));
                        }
                        return results;
                      }));
  cases.back().wrong_on = "SwiftShader";  // rounds toward zero
  cases.push_back(assembly("halves rounded toward zero in a store", R"(
      OpCapability StorageBuffer16BitAccess
      OpCapability Float16
      OpDecorate %h FPRoundingMode RTZ
      OpDecorate %n FPRoundingMode RTE
      OpDecorate %hs ArrayStride 2
      OpMemberDecorate %block 0 Offset 0
      OpDecorate %block Block
      OpDecorate %buffer DescriptorSet 0
      OpDecorate %buffer Binding 5
      %half = OpTypeFloat 16
      %hs = OpTypeRuntimeArray %half
      %block = OpTypeStruct %hs
      %ptr_block = OpTypePointer StorageBuffer %block
      %ptr_half = OpTypePointer StorageBuffer %half
      %buffer = OpVariable %ptr_block StorageBuffer
      %even = OpIMul %uint %id %c2
      %odd = OpIAdd %uint %even %c1
      %to = OpAccessChain %ptr_half %buffer %c0 %even
      %to1 = OpAccessChain %ptr_half %buffer %c0 %odd
      %large = OpConstant %float 20000
      %x = OpFMul %float %r1 %large
      %h = OpFConvert %half %r0
      OpStore %to %h
      %n = OpFConvert %half %x
      OpStore %to1 %n
      %back = OpLoad %half %to
      %wide = OpFConvert %float %back
      %back1 = OpLoad %half %to1
      %wide1 = OpFConvert %float %back1
      putf %wide
      putf %wide1)")
                      .version(5)
                      .judged_by([](const Invocation& i) {
                        uint32_t bits = half_bits(i.f(0));
                        if (std::fabs(half_value(bits)) > std::fabs(i.f(0))) --bits;
                        return std::vector<uint32_t>{
                            std::bit_cast<uint32_t>(float(half_value(bits))),
                            std::bit_cast<uint32_t>(float(half_value(half_bits(i.f(1) * 20000.0f))))};
                      }));
  // Bits reinterpreted as another type of the same size.
  cases.push_back(assembly("bit casts", declared('u', 16) + declared('u', 64) + declared('u', 8) + declared('f', 64) +
                                            declared('f', 16) + R"(
      %v4uint8 = OpTypeVector %uint8 4
      %v2uint16 = OpTypeVector %uint16 2
      %v4uint16 = OpTypeVector %uint16 4
      %v2float16 = OpTypeVector %float16 2
      %v2uint64 = OpTypeVector %uint64 2
      %bytes = OpBitcast %v4uint8 %u0
      %byte3 = OpCompositeExtract %uint8 %bytes 3
      %byte = OpUConvert %uint %byte3
      %back = OpBitcast %uint %bytes
      %shorts = OpBitcast %v2uint16 %r1
      %short1 = OpCompositeExtract %uint16 %shorts 1
      %short = OpUConvert %uint %short1
      %pair = OpCompositeConstruct %v2uint %u2 %u3
      %four = OpBitcast %v4uint16 %pair
      %double = OpBitcast %float64 %four
      %long = OpBitcast %uint64 %double
      %halves = OpBitcast %v2float16 %u4
      %from_halves = OpBitcast %uint %halves
      %all = OpCompositeConstruct %v4uint %u0 %u1 %u2 %u3
      %two = OpBitcast %v2uint64 %all
      %second = OpCompositeExtract %uint64 %two 1
      put %byte
      put %back
      put %short
      put64 %long
      put %from_halves
      put64 %second)")
                      .judged_by([](const Invocation& i) {
                        return std::vector<uint32_t>{i.u(0) >> 24, i.u(0), std::bit_cast<uint32_t>(i.f(1)) >> 16,
                                                     i.u(2),       i.u(3), i.u(4),
                                                     i.u(2),       i.u(3)};
                      }));
  return cases;
}
