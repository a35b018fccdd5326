#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Arms of a selection that join before its merge block, at blocks that no merge instruction names.

using namespace weft;
using namespace weft::test;

namespace {

using Words = std::vector<uint32_t>;

// One arm leads into the other: the other arm is the first block on its way out.
KernelCase through_the_other() {
  return assembly("an arm that goes through the other", R"(
      %odd_bit = OpBitwiseAnd %uint %u0 %c1
      %odd = OpIEqual %bool %odd_bit %c1
      OpSelectionMerge %merge None
      OpBranchConditional %odd %then %other
      %other = OpLabel
      %y = OpIAdd %uint %u1 %c5
      OpBranch %then
      %then = OpLabel
      %x = OpPhi %uint %u1 %entry %y %other
      %z = OpIMul %uint %x %c3
      OpBranch %merge
      %merge = OpLabel
      put %z)")
      .judged_by([](const Invocation& i) { return Words{(i.u(1) + (i.u(0) & 1 ? 0 : 5)) * 3}; });
}

// Both arms reach a block, but one of them may bypass it.
KernelCase past_the_meeting() {
  KernelCase result = assembly("arms that meet, and a way past where they do", R"(
      %bit0 = OpBitwiseAnd %uint %u0 %c1
      %bit1 = OpBitwiseAnd %uint %u0 %c2
      %is0 = OpIEqual %bool %bit0 %c0
      %is1 = OpIEqual %bool %bit1 %c0
      OpSelectionMerge %merge None
      OpBranchConditional %is0 %a %b
      %a = OpLabel
      %a1 = OpIAdd %uint %u1 %c1
      OpBranchConditional %is1 %meet %merge
      %b = OpLabel
      %b1 = OpIAdd %uint %u2 %c2
      OpBranch %meet
      %meet = OpLabel
      %m = OpPhi %uint %a1 %a %b1 %b
      %m1 = OpIMul %uint %m %c7
      OpBranch %merge
      %merge = OpLabel
      %r = OpPhi %uint %a1 %a %m1 %meet
      put %r)");
  result.wrong_on = "llvmpipe";  // bypasses it with all lanes
  return result.judged_by([](const Invocation& i) {
    const bool is0 = !(i.u(0) & 1), is1 = !(i.u(0) & 2);
    const uint32_t at = is0 ? i.u(1) + 1 : i.u(2) + 2;
    return Words{is0 && !is1 ? at : at * 7};
  });
}

// A loop's header branches without a selection. The paths join before the continue target, one of them after a
// selection.
KernelCase in_a_loop() {
  return assembly("ways from a loop's header that meet in its body", R"(
      %turns = OpBitwiseAnd %uint %u0 %c7
      OpBranch %header
      %header = OpLabel
      %k = OpPhi %uint %c0 %entry %next %continue
      %sum = OpPhi %uint %u1 %entry %sum2 %continue
      %bit = OpBitwiseAnd %uint %sum %c1
      %is_odd = OpIEqual %bool %bit %c1
      OpLoopMerge %out %continue None
      OpBranchConditional %is_odd %a %b
      %a = OpLabel
      %a1 = OpIMul %uint %sum %c3
      %small = OpULessThan %bool %a1 %u2
      OpSelectionMerge %a_end None
      OpBranchConditional %small %a_in %a_end
      %a_in = OpLabel
      OpBranch %out
      %a_end = OpLabel
      OpBranch %meet
      %b = OpLabel
      %b1 = OpIAdd %uint %sum %c9
      OpBranch %meet
      %meet = OpLabel
      %m = OpPhi %uint %a1 %a_end %b1 %b
      %sum1 = OpBitwiseXor %uint %m %k
      OpBranch %continue
      %continue = OpLabel
      %sum2 = OpIAdd %uint %sum1 %c1
      %next = OpIAdd %uint %k %c1
      %more = OpULessThan %bool %next %turns
      OpBranchConditional %more %header %out
      %out = OpLabel
      %r = OpPhi %uint %a1 %a_in %sum2 %continue
      put %r)")
      .judged_by([](const Invocation& i) {
        const uint32_t turns = i.u(0) & 7;
        uint32_t s = i.u(1);
        for (uint32_t k = 0;; ++k) {
          const bool is_odd = s & 1;
          const uint32_t m = is_odd ? s * 3 : s + 9;
          if (is_odd && m < i.u(2)) return Words{m};
          s = (m ^ k) + 1;
          if (k + 1 >= turns) return Words{s};
        }
      });
}

// Lanes that diverge and join in this way are together after the join, and at the end of the function.
KernelCase lanes_meet() {
  KernelCase result = assembly("lanes that meet before the merge block", R"(
      OpCapability GroupNonUniformArithmetic
      %scope = OpConstant %uint 3
      %odd_bit = OpBitwiseAnd %uint %u0 %c1
      %odd = OpIEqual %bool %odd_bit %c1
      OpSelectionMerge %merge None
      OpBranchConditional %odd %then %other
      %other = OpLabel
      %y = OpGroupNonUniformIAdd %uint %scope Reduce %c1
      OpBranch %then
      %then = OpLabel
      %x = OpPhi %uint %c0 %entry %y %other
      OpBranch %merge
      %merge = OpLabel
      %all = OpGroupNonUniformIAdd %uint %scope Reduce %c1
      put %x
      put %all)");
  result.depends_on_subgroups = true;
  return result.judged_by([](const Invocation& i) {
    uint32_t even = 0;
    for (uint32_t l = 0; l < i.lanes(); ++l) even += !(i.at(l).u(0) & 1);
    return Words{i.u(0) & 1 ? 0 : even, i.lanes()};
  });
}

}  // namespace

CORPUS("arms that meet before the merge block") {
  return {through_the_other(), past_the_meeting(), in_a_loop(), lanes_meet()};
}
