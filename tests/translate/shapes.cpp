#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Control flow of shapes that GLSL compilers do not emit, compared with C++.

using namespace weft;
using namespace weft::test;

namespace {

// Nested selections: each bit of the first word decides whether to enter the next level.
KernelCase deep(uint32_t depth) {
  std::string text, ends;
  for (uint32_t k = 0; k < depth; ++k) {
    const std::string n = number(k), bit = number(k % 32);
    text += "%bit" + n + "_a = OpShiftRightLogical %uint %u" + number(k / 32) + " %c" + bit + "\n%bit" + n +
            " = OpBitwiseAnd %uint %bit" + n + "_a %c3\n%is" + n + " = OpINotEqual %bool %bit" + n +
            " %c0\nOpSelectionMerge %end" + n + " None\nOpBranchConditional %is" + n + " %in" + n + " %end" + n +
            "\n%in" + n + " = OpLabel\n%old" + n + " = OpLoad %uint %count\n%new" + n + " = OpIAdd %uint %old" + n +
            " %c1\nOpStore %count %new" + n + "\n";
    ends = "OpBranch %end" + n + "\n%end" + n + " = OpLabel\n" + ends;
  }
  return assembly(number(depth) + " selections within one another",
                  "%count = OpVariable %ptr_uint_function Function %c0\n" + text + ends +
                      "%total = OpLoad %uint %count\nput %total\n")
      .judged_by([=](const Invocation& i) {
        uint32_t k = 0;
        while (k < depth && (i.u(k / 32) >> k % 32 & 3) != 0) ++k;
        return std::vector<uint32_t>{k};
      });
}

}  // namespace

CORPUS("switches of every shape") {
  return {
      assembly("default between cases that fall through", R"(
      %k = OpBitwiseAnd %uint %u0 %c7
      OpSelectionMerge %merge None
      OpSwitch %k %default 0 %zero 1 %one 2 %one 5 %five 6 %merge
      %zero = OpLabel
      %z = OpIAdd %uint %u1 %c1
      OpBranch %one
      %one = OpLabel
      %o = OpPhi %uint %u1 %entry %z %zero
      %o3 = OpIMul %uint %o %c3
      OpBranch %default
      %default = OpLabel
      %d = OpPhi %uint %u2 %entry %o3 %one
      %default_out = OpIAdd %uint %d %c10
      OpBranch %five
      %five = OpLabel
      %f = OpPhi %uint %u3 %entry %default_out %default
      %five_out = OpBitwiseXor %uint %f %c5
      OpBranch %merge
      %merge = OpLabel
      %r = OpPhi %uint %u4 %entry %five_out %five
      put %r)")
          .judged_by([](const Invocation& i) {
            uint32_t x = 0;
            switch (i.u(0) & 7) {
              case 0:
                x = i.u(1) + 1;
                return std::vector<uint32_t>{(x * 3 + 10) ^ 5};
              case 1:
              case 2:
                return std::vector<uint32_t>{(i.u(1) * 3 + 10) ^ 5};
              case 5:
                return std::vector<uint32_t>{i.u(3) ^ 5};
              case 6:
                return std::vector<uint32_t>{i.u(4)};
              default:
                return std::vector<uint32_t>{(i.u(2) + 10) ^ 5};
            }
          }),
      assembly("selectors of 64, 16 and 8 bits", R"(
      OpCapability Int64
      OpCapability Int16
      OpCapability Int8
      %int64 = OpTypeInt 64 1
      %int16 = OpTypeInt 16 1
      %uint8 = OpTypeInt 8 0
      %k = OpBitwiseAnd %uint %u0 %c3
      %ki = OpBitcast %int %k
      %less = OpISub %int %ki %i2
      %wide_a = OpSConvert %int64 %less
      %large = OpConstant %int64 8589934592
      %wide = OpIMul %int64 %wide_a %large
      %short = OpSConvert %int16 %less
      %byte = OpUConvert %uint8 %k
      OpSelectionMerge %merge1 None
      OpSwitch %wide %default1 -17179869184 %a1 8589934592 %b1 0 %c1_
      %a1 = OpLabel
      OpBranch %merge1
      %b1 = OpLabel
      OpBranch %merge1
      %c1_ = OpLabel
      OpBranch %merge1
      %default1 = OpLabel
      OpBranch %merge1
      %merge1 = OpLabel
      %r1_ = OpPhi %uint %c1 %a1 %c2 %b1 %c3 %c1_ %c4 %default1
      OpSelectionMerge %merge2 Flatten
      OpSwitch %short %merge2 -2 %a2 1 %b2
      %a2 = OpLabel
      OpBranch %b2
      %b2 = OpLabel
      %p = OpPhi %uint %c10 %a2 %c20 %merge1
      OpBranch %merge2
      %merge2 = OpLabel
      %r2_ = OpPhi %uint %c5 %merge1 %p %b2
      OpSelectionMerge %merge3 DontFlatten
      OpSwitch %byte %default3 3 %a3
      %default3 = OpLabel
      OpBranch %merge3
      %a3 = OpLabel
      OpReturn
      %merge3 = OpLabel
      put %r1_
      put %r2_)")
          .judged_by([](const Invocation& i) {
            const uint32_t k = i.u(0) & 3;
            if (k == 3) return std::vector<uint32_t>{};
            const uint32_t first[] = {1, 4, 3}, second[] = {10, 5, 5};
            return std::vector<uint32_t>{first[k], second[k]};
          }),
      assembly("a switch with nothing but a default, and one whose cases return", R"(
      OpSelectionMerge %merge None
      OpSwitch %u0 %only
      %only = OpLabel
      put %u1
      OpBranch %merge
      %merge = OpLabel
      %r = OpFunctionCall %uint %choose %u2
      put %r
      %choose_type = OpTypeFunction %uint %uint
      %choose = OpFunction %uint None %choose_type
      %x = OpFunctionParameter %uint
      %choose_entry = OpLabel
      %k = OpBitwiseAnd %uint %x %c3
      OpSelectionMerge %never None
      OpSwitch %k %other 0 %zero 1 %one
      %zero = OpLabel
      OpReturnValue %c17
      %one = OpLabel
      %odd = OpUGreaterThan %bool %x %c64
      OpSelectionMerge %one_end None
      OpBranchConditional %odd %big %one_end
      %big = OpLabel
      OpReturnValue %c18
      %one_end = OpLabel
      OpBranch %other
      %other = OpLabel
      OpReturnValue %c19
      %never = OpLabel
      OpUnreachable
      OpFunctionEnd)")
          .judged_by([](const Invocation& i) {
            const uint32_t x = i.u(2), k = x & 3;
            return std::vector<uint32_t>{i.u(1), k == 0 ? 17u : k == 1 && x > 64 ? 18u : 19u};
          }),
  };
}

CORPUS("selections and phis of every shape") {
  return {
      deep(12),
      deep(80),
      assembly("branches that agree, and phis of composites", R"(
      %list = OpTypeArray %uint %c3
      %mat = OpTypeMatrix %v2float 2
      %pair = OpTypeStruct %list %mat %bool
      %col = OpCompositeConstruct %v2float %r0 %r1
      %m = OpCompositeConstruct %mat %col %col
      %l = OpCompositeConstruct %list %u0 %u1 %u2
      %p = OpCompositeConstruct %pair %l %m %yes
      %zero = OpConstantNull %pair
      %odd_bit = OpBitwiseAnd %uint %u3 %c1
      %odd = OpIEqual %bool %odd_bit %c1
      OpSelectionMerge %after None
      OpBranchConditional %odd %same %same
      %same = OpLabel
      OpBranch %after
      %after = OpLabel
      OpSelectionMerge %merge None
      OpBranchConditional %odd %merge %else
      %else = OpLabel
      %changed = OpCompositeInsert %pair %u4 %p 0 1
      OpBranch %merge
      %merge = OpLabel
      %q = OpPhi %pair %zero %after %changed %else
      %v = OpPhi %v2float %col %after %col %else
      %flag = OpPhi %bool %no %after %odd %else
      %x = OpCompositeExtract %uint %q 0 1
      %y = OpCompositeExtract %float %q 1 1 0
      %z = OpCompositeExtract %bool %q 2
      %v1 = OpCompositeExtract %float %v 1
      OpSelectionMerge %last None
      OpBranchConditional %yes %last %never
      %never = OpLabel
      OpUnreachable
      %last = OpLabel
      OpSelectionMerge %end None
      OpBranchConditional %odd %empty %end
      %empty = OpLabel
      OpBranch %end
      %end = OpLabel
      put %x
      putf %y
      putb %z
      putf %v1
      putb %flag)")
          .judged_by([](const Invocation& i) {
            const bool odd = i.u(3) & 1;
            const auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
            return std::vector<uint32_t>{odd ? 0 : i.u(4), odd ? 0 : bits(i.f(0)), !odd, bits(i.f(1)), 0};
          }),
      assembly("values cross loops and selections", R"(
      OpBranch %outer
      %outer = OpLabel
      %i = OpPhi %uint %c0 %entry %i1_ %outer_next
      %a = OpPhi %uint %u0 %entry %a2 %outer_next
      %kept = OpPhi %uint %c0 %entry %kept2 %outer_next
      OpLoopMerge %outer_done %outer_next None
      OpBranch %outer_test
      %outer_test = OpLabel
      %less = OpULessThan %bool %i %c6
      OpBranchConditional %less %inner_entry %outer_done
      %inner_entry = OpLabel
      %base_ = OpIAdd %uint %a %i
      OpBranch %inner
      %inner = OpLabel
      %j = OpPhi %uint %c0 %inner_entry %j1 %inner_next
      %b = OpPhi %uint %base_ %inner_entry %b2 %inner_next
      %before = OpPhi %uint %kept %inner_entry %b %inner_next
      OpLoopMerge %inner_done %inner_next None
      OpBranch %inner_test
      %inner_test = OpLabel
      %less_j = OpULessThan %bool %j %i
      OpBranchConditional %less_j %inner_body %inner_done
      %inner_body = OpLabel
      %low = OpBitwiseAnd %uint %b %c3
      %is3 = OpIEqual %bool %low %c3
      OpSelectionMerge %inner_rest None
      OpBranchConditional %is3 %broken %inner_rest
      %broken = OpLabel
      OpBranch %inner_done
      %inner_rest = OpLabel
      OpBranch %inner_next
      %inner_next = OpLabel
      %b5 = OpIMul %uint %b %c5
      %b2 = OpIAdd %uint %b5 %j
      %j1 = OpIAdd %uint %j %c1
      OpBranch %inner
      %inner_done = OpLabel
      %how = OpPhi %uint %c1 %inner_test %c2 %broken
      %kept2 = OpIAdd %uint %before %how
      %a2 = OpBitwiseXor %uint %b %kept2
      OpBranch %outer_next
      %outer_next = OpLabel
      %i1_ = OpIAdd %uint %i %c1
      OpBranch %outer
      %outer_done = OpLabel
      put %a
      put %kept)")
          .judged_by([](const Invocation& i) {
            uint32_t a = i.u(0), kept = 0;
            for (uint32_t k = 0; k < 6; ++k) {
              uint32_t b = a + k, before = kept, how = 1;
              for (uint32_t j = 0; j < k; ++j) {
                if ((b & 3) == 3) {
                  how = 2;
                  break;
                }
                before = b;
                b = b * 5 + j;
              }
              kept = before + how;
              a = b ^ kept;
            }
            return std::vector<uint32_t>{a, kept};
          }),
      assembly("annotations of every kind", R"(
      OpCapability ExpectAssumeKHR
      OpExtension "SPV_KHR_expect_assume"
      OpExtension "SPV_GOOGLE_user_type"
      OpExtension "SPV_GOOGLE_hlsl_functionality1"
      OpExtension "SPV_GOOGLE_decorate_string"
      %file = OpString "annotated.comp"
      OpSource GLSL 450 %file "void main() {"
      OpSourceContinued "}"
      OpSourceExtension "GL_KHR_of_all"
      OpModuleProcessed "by hand"
      OpMemberName %words 0 "values"
      OpDecorateString %other UserTypeGOOGLE "buffer"
      OpMemberDecorateString %block 0 UserSemantic "first"
      OpDecorateId %sum UniformId %c2
      OpDecorate %members Coherent
      %members = OpDecorationGroup
      OpGroupMemberDecorate %members %block 0 %block 1
      OpMemberDecorate %block 0 Offset 0
      OpMemberDecorate %block 1 Offset 4
      OpDecorate %block Block
      OpDecorate %other DescriptorSet 0
      OpDecorate %other Binding 5
      OpDecorate %sum RelaxedPrecision
      %block = OpTypeStruct %uint %uint
      %ptr_block = OpTypePointer StorageBuffer %block
      %other = OpVariable %ptr_block StorageBuffer
      %likely = OpULessThan %bool %u0 %u1
      %expected = OpExpectKHR %bool %likely %yes
      %same = OpIEqual %bool %u2 %u2
      OpAssumeTrueKHR %same
      %sum = OpIAdd %uint %u0 %u1
      %at = OpInBoundsAccessChain %ptr_uint_buffer %other %c1
      %old = OpLoad %uint %at
      %more = OpIAdd %uint %sum %old
      %twice = OpIMul %uint %more %c2
      putb %expected
      put %twice)")
          .version(5)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.u(0) < i.u(1), 2 * (i.u(0) + i.u(1))}; }),
      assembly("functions called before they are defined, and in turn", R"(
      %type = OpTypeFunction %uint %uint
      %array = OpTypeArray %uint %c4
      %array_type = OpTypeFunction %array %uint
      %nothing_type = OpTypeFunction %void %ptr_uint_function
      %x = OpVariable %ptr_uint_function Function %c3
      %a = OpFunctionCall %uint %outer_ %u0
      %b = OpFunctionCall %array %make %u1
      %b2 = OpCompositeExtract %uint %b 2
      %d = OpFunctionCall %void %change %x
      %e = OpLoad %uint %x
      put %a
      put %b2
      put %e
      %outer_ = OpFunction %uint Inline %type
      %p = OpFunctionParameter %uint
      %outer_entry = OpLabel
      %q = OpFunctionCall %uint %inner_ %p
      %r_ = OpFunctionCall %uint %inner_ %q
      OpReturnValue %r_
      OpFunctionEnd
      %make = OpFunction %array DontInline|Pure %array_type
      %m = OpFunctionParameter %uint
      %make_entry = OpLabel
      %n = OpFunctionCall %uint %inner_ %m
      %made = OpCompositeConstruct %array %m %n %n %m
      OpReturnValue %made
      OpFunctionEnd
      %inner_ = OpFunction %uint None %type
      %y = OpFunctionParameter %uint
      %inner_entry = OpLabel
      %small = OpULessThan %bool %y %u_limit
      OpSelectionMerge %rest None
      OpBranchConditional %small %early %rest
      %early = OpLabel
      OpReturnValue %y
      %rest = OpLabel
      %half = OpShiftRightLogical %uint %y %c1
      OpReturnValue %half
      OpFunctionEnd
      %change = OpFunction %void None %nothing_type
      %z = OpFunctionParameter %ptr_uint_function
      %change_entry = OpLabel
      %old = OpLoad %uint %z
      %is3 = OpIEqual %bool %old %c3
      OpSelectionMerge %end None
      OpBranchConditional %is3 %return_ %end
      %return_ = OpLabel
      OpStore %z %c9
      OpReturn
      %end = OpLabel
      OpStore %z %c10
      OpReturn
      OpFunctionEnd
      %u_limit = OpConstant %uint 1000)")
          .judged_by([](const Invocation& i) {
            const auto inner = [](uint32_t y) { return y < 1000 ? y : y >> 1; };
            return std::vector<uint32_t>{inner(inner(i.u(0))), inner(i.u(1)), 9};
          }),
  };
}
