#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Specialization constants of every type, and every operation on them.

using namespace weft;
using namespace weft::test;

namespace {

const char* const types =
    "#extension GL_EXT_shader_explicit_arithmetic_types : require\n// constants\n"
    "layout(constant_id = 0) const bool B = true; layout(constant_id = 1) const int I = -5; layout(constant_id = 2) "
    "const uint U = 7u; layout(constant_id = 3) const float F = 1.5; layout(constant_id = 4) const double D = 2.25lf;\n"
    "layout(constant_id = 5) const int64_t L = -6l; layout(constant_id = 6) const uint64_t M = 8ul; layout(constant_id "
    "= 7) const int16_t S = int16_t(-9); layout(constant_id = 8) const uint16_t T = uint16_t(10); layout(constant_id = "
    "9) const int8_t C = int8_t(-11); layout(constant_id = 10) const uint8_t E = uint8_t(12);\n"
    "layout(constant_id = 11) const float16_t H = 0.5hf; layout(constant_id = 12) const uint N = 3u; uint list[N]; "
    "const uvec3 V = uvec3(U, 1u, N);\n";

const char* const all_types = R"(
      put(uint(B)); put(uint(I)); put(U); putf(F); putf(float(D)); put(uint(L >> 1)); put(uint(M >> 32)); put(uint(M)); put(uint(int(S))); put(uint(T)); put(uint(int(C))); put(uint(E)); putf(float(H)); for (uint k = 0; k < N; ++k) list[k] = k * U; put(list[N - 1u]); put(uint(list.length())); put(V.x + V.z); if (B) put(u(0)); else put(u(1)); switch (U) { case 7: put(1u); break; case 70: put(2u); break; default: put(3u); })";

KernelOptions others() {
  return KernelOptions()
      .specialize(0, false)
      .specialize(1, -50)
      .specialize(2, 70u)
      .specialize(3, -2.5f)
      .specialize(4, 1e10)
      .specialize(5, int64_t{-600000000000})
      .specialize(6, uint64_t{0x123456789abcdef0})
      .specialize(7, int16_t{-900})
      .specialize(8, uint16_t{60000})
      .specialize(9, int8_t{-110})
      .specialize(10, uint8_t{200})
      .specialize(12, 9u);
}

}  // namespace

CORPUS("specialization constants") {
  std::vector<KernelCase> cases{
      KernelCase{"defaults of every type", types, all_types}.judged_by([](const Invocation& i) {
        return std::vector<uint32_t>{1,
                                     uint32_t(-5),
                                     7,
                                     std::bit_cast<uint32_t>(1.5f),
                                     std::bit_cast<uint32_t>(2.25f),
                                     uint32_t(-3),
                                     0,
                                     8,
                                     uint32_t(-9),
                                     10,
                                     uint32_t(-11),
                                     12,
                                     std::bit_cast<uint32_t>(0.5f),
                                     14,
                                     3,
                                     10,
                                     i.u(0),
                                     1};
      }),
      KernelCase{"values of every type", types, all_types}.with(others()).judged_by([](const Invocation& i) {
        return std::vector<uint32_t>{0,
                                     uint32_t(-50),
                                     70,
                                     std::bit_cast<uint32_t>(-2.5f),
                                     std::bit_cast<uint32_t>(1e10f),
                                     uint32_t(uint64_t(int64_t{-600000000000} >> 1)),
                                     0x12345678,
                                     0x9abcdef0,
                                     uint32_t(-900),
                                     60000,
                                     uint32_t(-110),
                                     200,
                                     std::bit_cast<uint32_t>(0.5f),
                                     560,
                                     9,
                                     79,
                                     i.u(1),
                                     2};
      }),
      assembly("operations on constants of 32 bits", R"(
      OpDecorate %a SpecId 1
      OpDecorate %b SpecId 2
      OpDecorate %s SpecId 3
      %a = OpSpecConstant %uint 5
      %b = OpSpecConstant %uint 3
      %s = OpSpecConstant %int 1
      %add = OpSpecConstantOp %uint IAdd %a %b
      %sub = OpSpecConstantOp %uint ISub %b %a
      %mul = OpSpecConstantOp %uint IMul %a %b
      %udiv = OpSpecConstantOp %uint UDiv %a %b
      %umod = OpSpecConstantOp %uint UMod %a %b
      %sdiv = OpSpecConstantOp %int SDiv %s %i7
      %srem = OpSpecConstantOp %int SRem %s %i7
      %smod = OpSpecConstantOp %int SMod %s %i7
      %shl = OpSpecConstantOp %uint ShiftLeftLogical %a %b
      %shr = OpSpecConstantOp %uint ShiftRightLogical %a %b
      %sar = OpSpecConstantOp %int ShiftRightArithmetic %s %i2
      %and = OpSpecConstantOp %uint BitwiseAnd %a %b
      %or = OpSpecConstantOp %uint BitwiseOr %a %b
      %xor = OpSpecConstantOp %uint BitwiseXor %a %b
      %not = OpSpecConstantOp %uint Not %a
      %neg = OpSpecConstantOp %int SNegate %s
      %slt = OpSpecConstantOp %bool SLessThan %s %i7
      %sle = OpSpecConstantOp %bool SLessThanEqual %s %i7
      %sgt = OpSpecConstantOp %bool SGreaterThan %s %i7
      %sge = OpSpecConstantOp %bool SGreaterThanEqual %s %i7
      %ult = OpSpecConstantOp %bool ULessThan %a %b
      %ule = OpSpecConstantOp %bool ULessThanEqual %a %b
      %ugt = OpSpecConstantOp %bool UGreaterThan %a %b
      %uge = OpSpecConstantOp %bool UGreaterThanEqual %a %b
      %eq = OpSpecConstantOp %bool IEqual %a %b
      %ne = OpSpecConstantOp %bool INotEqual %a %b
      %land = OpSpecConstantOp %bool LogicalAnd %ne %ult
      %lor = OpSpecConstantOp %bool LogicalOr %eq %ult
      %leq = OpSpecConstantOp %bool LogicalEqual %eq %ult
      %lne = OpSpecConstantOp %bool LogicalNotEqual %eq %ult
      %lnot = OpSpecConstantOp %bool LogicalNot %eq
      %select = OpSpecConstantOp %uint Select %ult %a %b
      put %add
      put %sub
      put %mul
      put %udiv
      put %umod
      puti %sdiv
      puti %srem
      puti %smod
      put %shl
      put %shr
      puti %sar
      put %and
      put %or
      put %xor
      put %not
      puti %neg
      putb %slt
      putb %sle
      putb %sgt
      putb %sge
      putb %ult
      putb %ule
      putb %ugt
      putb %uge
      putb %eq
      putb %ne
      putb %land
      putb %lor
      putb %leq
      putb %lne
      putb %lnot
      put %select)")
          .with(KernelOptions().specialize(1, 0x80000005u).specialize(2, 4u).specialize(3, -100))
          .judged_by([](const Invocation&) {
            const uint32_t a = 0x80000005, b = 4;
            return std::vector<uint32_t>{a + b,
                                         b - a,
                                         a * b,
                                         a / b,
                                         a % b,
                                         uint32_t(-14),
                                         uint32_t(-2),
                                         5,
                                         a << b,
                                         a >> b,
                                         uint32_t(-25),
                                         a & b,
                                         a | b,
                                         a ^ b,
                                         ~a,
                                         100,
                                         1,
                                         1,
                                         0,
                                         0,
                                         0,
                                         0,
                                         1,
                                         1,
                                         0,
                                         1,
                                         0,
                                         0,
                                         1,
                                         0,
                                         1,
                                         b};
          }),
      assembly("operations on constants of several components and widths", R"(
      OpCapability Int64
      OpCapability Int16
      OpCapability Float64
      OpCapability Float16
      OpDecorate %a SpecId 1
      OpDecorate %h SpecId 2
      OpDecorate %flag SpecId 3
      OpDecorate %f SpecId 4
      %uint64 = OpTypeInt 64 0
      %int64 = OpTypeInt 64 1
      %int16 = OpTypeInt 16 1
      %uint16 = OpTypeInt 16 0
      %float64 = OpTypeFloat 64
      %float16 = OpTypeFloat 16
      %pair = OpTypeStruct %v3uint %uint
      %a = OpSpecConstant %uint 9
      %h = OpSpecConstant %int16 -3
      %flag = OpSpecConstantFalse %bool
      %f = OpSpecConstant %float 0.1
      %v = OpSpecConstantComposite %v3uint %a %c2 %c3
      %w = OpSpecConstantOp %v3uint IAdd %v %v
      %x = OpSpecConstantOp %v3uint VectorShuffle %v %w 5 0 4
      %y = OpSpecConstantOp %v3uint CompositeInsert %a %x 2
      %z = OpSpecConstantOp %uint CompositeExtract %y 0
      %p = OpSpecConstantComposite %pair %y %z
      %deep = OpSpecConstantOp %uint CompositeExtract %p 0 2
      %q = OpSpecConstantOp %pair CompositeInsert %c5 %p 0 1
      %wide = OpSpecConstantOp %int64 SConvert %h
      %wider = OpSpecConstantOp %uint64 UConvert %a
      %product = OpSpecConstantOp %uint64 IMul %wider %wider
      %narrow = OpSpecConstantOp %uint16 UConvert %product
      %to_double = OpSpecConstantOp %float64 FConvert %f
      %to_half = OpSpecConstantOp %float16 FConvert %f
      %rounded = OpSpecConstantOp %float QuantizeToF16 %f
      %less = OpSpecConstantOp %v3bool ULessThan %v %w
      %none = OpConstantNull %v3uint
      %either = OpSpecConstantOp %v3uint Select %less %w %none
      %whole = OpSpecConstantOp %v3uint Select %flag %v %w
      %length = OpSpecConstantOp %uint UMod %a %c7
      %longer = OpSpecConstantOp %uint IAdd %length %c2
      %list = OpTypeArray %uint %longer
      %ptr_list = OpTypePointer Function %list
      %local_list = OpVariable %ptr_list Function
      %k = OpUMod %uint %u0 %longer
      %at = OpAccessChain %ptr_uint_function %local_list %k
      OpStore %at %u1
      %loaded = OpLoad %uint %at
      %x0 = OpCompositeExtract %uint %x 0
      %x2 = OpCompositeExtract %uint %y 2
      %q1 = OpCompositeExtract %uint %q 0 1
      %narrow_word = OpUConvert %uint %narrow
      %half_float = OpFConvert %float %to_half
      %e1 = OpCompositeExtract %uint %either 1
      %h2 = OpCompositeExtract %uint %whole 2
      put %x0
      put %x2
      put %deep
      put %q1
      put64 %wide
      put64 %product
      put %narrow_word
      put64 %to_double
      putf %half_float
      putf %rounded
      put %e1
      put %h2
      put %loaded
      put %longer)")
          .version(4)
          .with(KernelOptions().specialize(1, 70000u).specialize(3, true))
          .judged_by([](const Invocation& i) {
            const uint64_t product = 70000ull * 70000ull, d = std::bit_cast<uint64_t>(double(0.1f));
            const uint32_t half = std::bit_cast<uint32_t>(0.0999755859375f);
            return std::vector<uint32_t>{6,
                                         70000,
                                         70000,
                                         5,
                                         uint32_t(-3),
                                         ~0u,
                                         uint32_t(product),
                                         uint32_t(product >> 32),
                                         uint32_t(product & 0xffff),
                                         uint32_t(d),
                                         uint32_t(d >> 32),
                                         half,
                                         half,
                                         4,
                                         3,
                                         i.u(1),
                                         2};
          }),
  };
  cases.back().wrong_on = "llvmpipe";  // in a Select of vectors by one bool
  return cases;
}
