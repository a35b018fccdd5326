#include <algorithm>
#include <utility>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"

// Loops of shapes that GLSL compilers do not emit, compared with C++.

using namespace weft;
using namespace weft::test;

CORPUS("loops of every shape") {
  return {
      assembly("a loop of one block", R"(
      OpBranch %loop
      %loop = OpLabel
      %i = OpPhi %uint %c0 %entry %next %loop
      %a = OpPhi %uint %u0 %entry %b %loop
      %b = OpPhi %uint %u1 %entry %a %loop
      %s = OpPhi %uint %c0 %entry %sum %loop
      %times = OpIMul %uint %s %c7
      %sum = OpIAdd %uint %times %a
      %next = OpIAdd %uint %i %c1
      %limit = OpBitwiseAnd %uint %u2 %c15
      %more = OpULessThan %bool %next %limit
      OpLoopMerge %done %loop Unroll
      OpBranchConditional %more %loop %done
      %done = OpLabel
      put %sum
      put %a
      put %next)")
          .judged_by([](const Invocation& i) {
            uint32_t k = 0, a = i.u(0), b = i.u(1), s = 0, last = 0;
            do {
              s = s * 7 + a, last = a, ++k, std::swap(a, b);
            } while (k < (i.u(2) & 15));
            return std::vector<uint32_t>{s, last, k};
          }),
      // Iterations are counted in memory, so that the first two loops have only two phis.
      assembly("phis that take one another's values", R"(
      %count = OpVariable %ptr_uint_function Function %c0
      %few = OpBitwiseAnd %uint %u2 %c7
      OpBranch %pair
      %pair = OpLabel
      %a = OpPhi %uint %u0 %entry %b %pair_next
      %b = OpPhi %uint %u1 %entry %a %pair_next
      OpLoopMerge %pair_end %pair_next None
      OpBranch %pair_body
      %pair_body = OpLabel
      %n = OpLoad %uint %count
      %n1 = OpIAdd %uint %n %c1
      OpStore %count %n1
      %ended = OpUGreaterThan %bool %n1 %few
      OpSelectionMerge %pair_rest None
      OpBranchConditional %ended %pair_leave %pair_rest
      %pair_leave = OpLabel
      OpBranch %pair_end
      %pair_rest = OpLabel
      %skip = OpIEqual %bool %n %c3
      OpBranchConditional %skip %pair_next %pair_work
      %pair_work = OpLabel
      put %n
      OpBranch %pair_next
      %pair_next = OpLabel
      OpBranch %pair
      %pair_end = OpLabel
      put %a
      put %b
      OpBranch %block
      %block = OpLabel
      %c = OpPhi %uint %u3 %pair_end %d %block
      %d = OpPhi %uint %u4 %pair_end %c %block
      %m = OpLoad %uint %count
      %m1 = OpIAdd %uint %m %c1
      OpStore %count %m1
      %more = OpULessThan %bool %m1 %c11
      OpLoopMerge %block_end %block None
      OpBranchConditional %more %block %block_end
      %block_end = OpLabel
      put %c
      put %d
      OpBranch %ring
      %ring = OpLabel
      %e = OpPhi %uint %u5 %block_end %f %ring_next
      %f = OpPhi %uint %u6 %block_end %g %ring_next
      %p = OpPhi %uint %u8 %block_end %q %ring_next
      %g = OpPhi %uint %u7 %block_end %e %ring_next
      %q = OpPhi %uint %u9 %block_end %p %ring_next
      %j = OpPhi %uint %c0 %block_end %j1 %ring_next
      %goes_on = OpULessThan %bool %j %few
      OpLoopMerge %ring_end %ring_next None
      OpBranchConditional %goes_on %ring_next %ring_end
      %ring_next = OpLabel
      %j1 = OpIAdd %uint %j %c1
      OpBranch %ring
      %ring_end = OpLabel
      put %e
      put %f
      put %g
      put %p
      put %q)")
          .judged_by([](const Invocation& i) {
            const uint32_t few = i.u(2) & 7;
            uint32_t pair[] = {i.u(0), i.u(1)}, block[] = {i.u(3), i.u(4)}, ring[] = {i.u(5), i.u(6), i.u(7)};
            uint32_t beside[] = {i.u(8), i.u(9)}, worked = unwritten;
            for (uint32_t n = 0; n < few; ++n) std::swap(pair[0], pair[1]), worked = n == 3 ? worked : n;
            for (uint32_t n = few + 2; n < 11; ++n) std::swap(block[0], block[1]);
            for (uint32_t n = 0; n < few; ++n) std::rotate(ring, ring + 1, ring + 3), std::swap(beside[0], beside[1]);
            return std::vector<uint32_t>{worked,  pair[0], pair[1], block[0],  block[1],
                                         ring[0], ring[1], ring[2], beside[0], beside[1]};
          }),
      assembly("a loop with four exits and code after its header", R"(
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %c0 %entry %next %continue
      %s = OpPhi %uint %c1 %entry %t %continue
      OpLoopMerge %done %continue DontUnroll
      OpBranch %body
      %body = OpLabel
      %limit = OpIEqual %bool %i %c20
      OpBranchConditional %limit %done %first_
      %first_ = OpLabel
      %shifted = OpShiftRightLogical %uint %u0 %i
      %bit = OpBitwiseAnd %uint %shifted %c7
      %is7 = OpIEqual %bool %bit %c7
      %sum_s7 = OpIAdd %uint %s %c7
      OpSelectionMerge %second_ None
      OpBranchConditional %is7 %seven %second_
      %seven = OpLabel
      %large = OpUGreaterThan %bool %s %c30
      OpSelectionMerge %seven_end None
      OpBranchConditional %large %leave %seven_end
      %leave = OpLabel
      OpBranch %done
      %seven_end = OpLabel
      OpBranch %continue
      %second_ = OpLabel
      %is5 = OpIEqual %bool %bit %c5
      OpBranchConditional %is5 %continue %third
      %third = OpLabel
      %is2 = OpIEqual %bool %bit %c2
      OpSelectionMerge %fourth None
      OpBranchConditional %is2 %two %fourth
      %two = OpLabel
      put %s
      OpReturn
      %fourth = OpLabel
      %sum_s2 = OpIMul %uint %s %c2
      %wide = OpUGreaterThan %bool %sum_s2 %c64
      OpSelectionMerge %fifth None
      OpBranchConditional %wide %out %fifth
      %out = OpLabel
      OpBranch %done
      %fifth = OpLabel
      OpBranch %continue
      %continue = OpLabel
      %t = OpPhi %uint %sum_s7 %seven_end %s %second_ %sum_s2 %fifth
      %next = OpIAdd %uint %i %c1
      OpBranch %header
      %done = OpLabel
      %r = OpPhi %uint %s %body %sum_s7 %leave %sum_s2 %out
      %where = OpPhi %uint %c1 %body %c2 %leave %c3 %out
      put %r
      put %where
      put %i)")
          .judged_by([](const Invocation& i) {
            uint32_t s = 1;
            for (uint32_t k = 0;; ++k) {
              if (k == 20) return std::vector<uint32_t>{unwritten, s, 1, k};
              const uint32_t bit = i.u(0) >> k & 7;
              if (bit == 7) {
                if (s > 30) return std::vector<uint32_t>{unwritten, s + 7, 2, k};
                s += 7;
              } else if (bit == 2) {
                return std::vector<uint32_t>{s};
              } else if (bit != 5) {
                if (s * 2 > 64) return std::vector<uint32_t>{unwritten, s * 2, 3, k};
                s *= 2;
              }
            }
          }),
      assembly("a selection and a call in what follows each turn", R"(
      %step_type = OpTypeFunction %uint %uint
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %c0 %entry %next %back
      %s = OpPhi %uint %u0 %entry %mixed %back
      %more = OpULessThan %bool %i %c9
      OpLoopMerge %done %continue None
      OpBranchConditional %more %body %done
      %body = OpLabel
      %odd_bit = OpBitwiseAnd %uint %s %c1
      %odd = OpIEqual %bool %odd_bit %c1
      OpBranchConditional %odd %continue %work
      %work = OpLabel
      %more_5 = OpIAdd %uint %s %c5
      OpBranch %continue
      %continue = OpLabel
      %c = OpPhi %uint %s %body %more_5 %work
      %stepped = OpFunctionCall %uint %step_ %c
      %large = OpUGreaterThan %bool %stepped %u1
      OpSelectionMerge %back None
      OpBranchConditional %large %shrink %back
      %shrink = OpLabel
      %smaller = OpShiftRightLogical %uint %stepped %c3
      OpBranch %back
      %back = OpLabel
      %mixed = OpPhi %uint %stepped %continue %smaller %shrink
      %next = OpIAdd %uint %i %c1
      OpBranch %header
      %done = OpLabel
      put %s
      %step_ = OpFunction %uint None %step_type
      %x = OpFunctionParameter %uint
      %step_entry = OpLabel
      %x3 = OpIMul %uint %x %c3
      OpReturnValue %x3
      OpFunctionEnd)")
          .judged_by([](const Invocation& i) {
            uint32_t s = i.u(0);
            for (int k = 0; k < 9; ++k) {
              s = (s & 1 ? s : s + 5) * 3;
              if (s > i.u(1)) s >>= 3;
            }
            return std::vector<uint32_t>{s};
          }),
      assembly("loops that end only by returning", R"(
      %find_type = OpTypeFunction %uint %uint %uint
      %a = OpFunctionCall %uint %find %u0 %c5
      %b = OpFunctionCall %uint %find %u1 %c3
      put %a
      put %b
      %find = OpFunction %uint None %find_type
      %x = OpFunctionParameter %uint
      %by = OpFunctionParameter %uint
      %find_entry = OpLabel
      OpBranch %outer
      %outer = OpLabel
      %i = OpPhi %uint %c0 %find_entry %i1_ %outer_continue
      OpLoopMerge %outer_done %outer_continue None
      OpBranch %inner_entry
      %inner_entry = OpLabel
      OpBranch %inner
      %inner = OpLabel
      %j = OpPhi %uint %c0 %inner_entry %j1 %inner_continue
      OpLoopMerge %inner_done %inner_continue None
      OpBranch %inner_body
      %inner_body = OpLabel
      %ij = OpIMul %uint %i %by
      %sum = OpIAdd %uint %ij %j
      %far = OpUGreaterThan %bool %sum %c30
      OpSelectionMerge %not_far None
      OpBranchConditional %far %give_up %not_far
      %give_up = OpLabel
      OpReturnValue %c64
      %not_far = OpLabel
      %shifted = OpShiftRightLogical %uint %x %sum
      %two = OpBitwiseAnd %uint %shifted %c3
      %found = OpIEqual %bool %two %c3
      OpSelectionMerge %not_found None
      OpBranchConditional %found %yes_ %not_found
      %yes_ = OpLabel
      OpReturnValue %sum
      %not_found = OpLabel
      %j1 = OpIAdd %uint %j %c1
      %last = OpUGreaterThanEqual %bool %j1 %by
      OpBranchConditional %last %inner_done %inner_continue
      %inner_continue = OpLabel
      OpBranch %inner
      %inner_done = OpLabel
      OpBranch %outer_continue
      %outer_continue = OpLabel
      %i1_ = OpIAdd %uint %i %c1
      OpBranch %outer
      %outer_done = OpLabel
      OpUnreachable
      OpFunctionEnd)")
          .judged_by([](const Invocation& i) {
            std::vector<uint32_t> r;
            for (int k = 0; k < 2; ++k) {
              uint32_t at = 0;
              while (at <= 30 && (i.u(k) >> at & 3) != 3) ++at;
              r.push_back(at > 30 ? 64 : at);
            }
            return r;
          }),
      assembly("hints, lines and debug instructions are taken", R"(
      OpExtension "SPV_KHR_non_semantic_info"
      %debug = OpExtInstImport "NonSemantic.Weft.Unknown"
      %file = OpString "shape \"of\" it.comp"
      OpSource GLSL 450 %file
      OpLine %file 7 1
      %a = OpIAdd %uint %u0 %c1
      OpNop
      OpNoLine
      %ignored = OpExtInst %void %debug 3 %a
      OpLine %file 9 1
      %undefined = OpUndef %uint
      %sum = OpIMul %uint %undefined %c0
      %b = OpIAdd %uint %a %sum
      OpBranch %header
      %header = OpLabel
      %i = OpPhi %uint %c0 %entry %next %continue
      %t = OpPhi %uint %b %entry %t3 %continue
      OpLoopMerge %done %continue Unroll|DependencyLength|MinIterations|MaxIterations 4 1 5
      OpBranch %test
      %test = OpLabel
      %more = OpULessThan %bool %i %c5
      OpBranchConditional %more %body %done 3 1
      %body = OpLabel
      %t3 = OpIMul %uint %t %c3
      OpBranch %continue
      %continue = OpLabel
      %next = OpIAdd %uint %i %c1
      OpBranch %header
      %done = OpLabel
      put %a
      put %t)")
          .version(4)
          .judged_by([](const Invocation& i) { return std::vector<uint32_t>{i.u(0) + 1, (i.u(0) + 1) * 243}; }),
  };
}
