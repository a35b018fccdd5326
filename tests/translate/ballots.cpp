#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/support/test.h"
#include "tests/translate/subgroups.h"

// Votes, ballots, shuffles, rotations and partitions with all lanes active, at every subgroup size, compared with C++
// on the lanes' inputs.

using namespace weft;
using namespace weft::test;

namespace {

std::vector<uint32_t> ballot(const Invocation& i, const std::function<bool(const Invocation&)>& holds) {
  std::vector<uint32_t> words(4, 0);
  for (uint32_t l = 0; l < i.lanes(); ++l) {
    if (holds(i.at(l))) words[l / 32] |= 1u << l % 32;
  }
  return words;
}

uint32_t count(const std::vector<uint32_t>& words, uint32_t end) {
  uint32_t sum = 0;
  for (uint32_t l = 0; l < std::min(end, 128u); ++l) sum += words[l / 32] >> l % 32 & 1;
  return sum;
}

// Returns a ballot with the lanes from `first` to before `end`.
std::vector<uint32_t> lanes_between(uint32_t first, uint32_t end) {
  std::vector<uint32_t> words(4, 0);
  for (uint32_t l = first; l < end; ++l) words[l / 32] |= 1u << l % 32;
  return words;
}

void append(std::vector<uint32_t>& to, const std::vector<uint32_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

CORPUS("votes and ballots") {
  return {
      of_lanes({"votes", subgroup_extensions, R"(
      put(uint(subgroupAll((u(0) & 7u) != 0u))); put(uint(subgroupAny((u(0) & 31u) == 0u))); put(uint(subgroupAllEqual(u(1) & 0u))); put(uint(subgroupAllEqual(u(1) & 1u))); put(uint(subgroupAllEqual(vec2(f(2) * 0.0 + 1.0, 2.0)))); put(uint(subgroupAllEqual(gl_SubgroupID == 1u))); put(uint(subgroupElect())); put(uint(subgroupAllEqual(double(u(3) >> 31))));)"},
               [](const Invocation& i) {
                 uint32_t all = 1, any = 0, equal = 1, high = 1;
                 for (uint32_t l = 0; l < i.lanes(); ++l) {
                   all &= (i.at(l).u(0) & 7) != 0, any |= (i.at(l).u(0) & 31) == 0;
                   equal &= (i.at(l).u(1) & 1) == (i.at(0).u(1) & 1), high &= i.at(l).u(3) >> 31 == i.at(0).u(3) >> 31;
                 }
                 return std::vector<uint32_t>{all, any, 1, equal, 1, 1, i.lane() == 0, high};
               }),
      of_lanes(
          {"ballots and masks", subgroup_extensions, R"(
      uvec4 b = subgroupBallot((u(0) & 1u) != 0u); for (uint k = 0; k < 4u; ++k) put(b[k]); put(subgroupBallotBitCount(b)); put(subgroupBallotInclusiveBitCount(b)); put(subgroupBallotExclusiveBitCount(b)); put(uint(subgroupInverseBallot(b))); uint n = u(1) % gl_SubgroupSize; put(uint(subgroupBallotBitExtract(b, n)));
      put((b.x | b.y | b.z | b.w) != 0u ? subgroupBallotFindLSB(b) : 99u); put((b.x | b.y | b.z | b.w) != 0u ? subgroupBallotFindMSB(b) : 99u); uvec4 e = gl_SubgroupEqMask, lt = gl_SubgroupLtMask, le = gl_SubgroupLeMask; for (uint k = 0; k < 4u; ++k) put(e[k]); for (uint k = 0; k < 4u; ++k) put(lt[k]); for (uint k = 0; k < 4u; ++k) put(le[k]);
      uvec4 all = subgroupBallot(true); put(subgroupBallotBitCount(all & gl_SubgroupGeMask)); put(subgroupBallotBitCount(all & gl_SubgroupGtMask));)"},
          [](const Invocation& i) {
            const auto odd = [](const Invocation& l) { return (l.u(0) & 1) != 0; };
            const std::vector<uint32_t> b = ballot(i, odd);
            std::vector<uint32_t> r = b;
            const uint32_t n = i.u(1) % i.subgroup, me = i.lane();
            uint32_t first = 99, last = 99;
            for (uint32_t l = 0; l < i.lanes(); ++l) {
              if (!odd(i.at(l))) continue;
              first = std::min(first, l), last = l;
            }
            append(r, {count(b, 128), count(b, me + 1), count(b, me), odd(i), b[n / 32] >> n % 32 & 1, first, last});
            append(r, lanes_between(me, me + 1)), append(r, lanes_between(0, me)), append(r, lanes_between(0, me + 1));
            append(r, {i.lanes() - me, i.lanes() - me - 1});
            return r;
          }),
      of_lanes(assembly("ballots and votes of the older extensions", R"(
      OpCapability SubgroupBallotKHR
      OpCapability SubgroupVoteKHR
      OpExtension "SPV_KHR_shader_ballot"
      OpExtension "SPV_KHR_subgroup_vote"
      %low = OpBitwiseAnd %uint %u0 %c1
      %odd = OpIEqual %bool %low %c1
      %b = OpSubgroupBallotKHR %v4uint %odd
      %first_ = OpSubgroupFirstInvocationKHR %uint %u1
      %second = OpSubgroupReadInvocationKHR %uint %u2 %c0
      %all = OpSubgroupAllKHR %bool %odd
      %any = OpSubgroupAnyKHR %bool %odd
      %equal = OpSubgroupAllEqualKHR %bool %odd
      put4 %b
      put %first_
      put %second
      putb %all
      putb %any
      putb %equal)")
                   .version(3),
               [](const Invocation& i) {
                 std::vector<uint32_t> r = ballot(i, [](const Invocation& l) { return (l.u(0) & 1) != 0; });
                 const uint32_t odd = count(r, 128);
                 append(r, {i.at(0).u(1), i.at(0).u(2), odd == i.lanes(), odd != 0, odd == 0 || odd == i.lanes()});
                 return r;
               }),
  };
}

CORPUS("shuffles") {
  const std::string narrow =
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n#extension "
      "GL_EXT_shader_subgroup_extended_types_int8 : require\n#extension GL_EXT_shader_subgroup_extended_types_int16 : "
      "require\n#extension GL_EXT_shader_subgroup_extended_types_int64 : require\n#extension "
      "GL_EXT_shader_subgroup_extended_types_float16 : require\n";
  return {
      of_lanes({"shuffles between lanes", subgroup_extensions, R"(
      uint n = subgroupBallotBitCount(subgroupBallot(true)), l = gl_SubgroupInvocationID; put(subgroupShuffle(u(0), u(1) % n)); uint x = subgroupShuffleXor(u(0), 1u); put((l ^ 1u) < n ? x : 0u); uint d = 1u + n / 3u; x = subgroupShuffleUp(u(2), d); put(l >= d ? x : 0u); x = subgroupShuffleDown(u(2), d); put(l + d < n ? x : 0u);
      put(subgroupBroadcast(u(3), 0u)); put(subgroupBroadcastFirst(u(4))); bool b = subgroupShuffle((u(5) & 1u) != 0u, n - 1u - l); put(uint(b)); vec4 v = subgroupShuffle(vec4(f(6), f(7), f(8), f(9)), (l + 1u) % n); putf(v.x); putf(v.w); dvec2 w = subgroupBroadcastFirst(dvec2(f(10), f(11))); putf(float(w.y));)"},
               [](const Invocation& i) {
                 const uint32_t n = i.lanes(), l = i.lane(), d = 1 + n / 3;
                 const Invocation next = i.at((l + 1) % n);
                 return std::vector<uint32_t>{i.at(i.u(1) % n).u(0),
                                              (l ^ 1) < n ? i.at(l ^ 1).u(0) : 0,
                                              l >= d ? i.at(l - d).u(2) : 0,
                                              l + d < n ? i.at(l + d).u(2) : 0,
                                              i.at(0).u(3),
                                              i.at(0).u(4),
                                              i.at(n - 1 - l).u(5) & 1,
                                              bits_of(next.f(6)),
                                              bits_of(next.f(9)),
                                              bits_of(i.at(0).f(11))};
               }),
      of_lanes({"shuffles of narrow and wide types", subgroup_extensions + narrow, R"(
      uint n = subgroupBallotBitCount(subgroupBallot(true)), k = u(1) % n; put(uint(subgroupShuffle(uint8_t(u(0)), k))); put(uint(int(subgroupShuffle(int16_t(int(u(0))), k)))); uint64_t x = subgroupShuffle(packUint2x32(uvec2(u(2), u(3))), k); put(unpackUint2x32(x).x); put(unpackUint2x32(x).y);
      put(uint(float16BitsToUint16(subgroupShuffle(uint16BitsToFloat16(uint16_t(u(4) & 0x3fffu)), k)))); u8vec4 v = subgroupBroadcastFirst(u8vec4(u(5), u(6), u(7), u(8))); put(uint(v.x) + uint(v.w) * 256u); put(uint(subgroupAdd(uint8_t(u(9))))); put(uint(subgroupMax(uint16_t(u(10))))); i64vec2 w = subgroupShuffle(i64vec2(int(u(11)), 5), k); put(uint(w.x));)"},
               [](const Invocation& i) {
                 const uint32_t n = i.lanes();
                 const Invocation from = i.at(i.u(1) % n);
                 uint32_t sum = 0, high = 0;
                 for (uint32_t l = 0; l < n; ++l) sum += i.at(l).u(9), high = std::max(high, i.at(l).u(10) & 0xffff);
                 return std::vector<uint32_t>{from.u(0) & 255,    uint32_t(int32_t(int16_t(from.u(0)))),
                                              from.u(2),          from.u(3),
                                              from.u(4) & 0x3fff, (i.at(0).u(5) & 255) + (i.at(0).u(8) & 255) * 256,
                                              sum & 255,          high,
                                              from.u(11)};
               }),
      of_lanes({"quads", subgroup_extensions, R"(
      if (gl_SubgroupSize >= 4u) { put(subgroupQuadBroadcast(u(0), 0u)); put(subgroupQuadBroadcast(u(0), 1u)); put(subgroupQuadBroadcast(u(0), 2u)); put(subgroupQuadBroadcast(u(0), 3u)); put(subgroupQuadSwapHorizontal(u(1))); put(subgroupQuadSwapVertical(u(1))); put(subgroupQuadSwapDiagonal(u(1))); vec2 v = subgroupQuadSwapVertical(vec2(f(2), f(3))); putf(v.y); })"},
               [](const Invocation& i) {
                 if (i.subgroup < 4) return std::vector<uint32_t>{};
                 const uint32_t quad = i.lane() & ~3u, l = i.lane();
                 return std::vector<uint32_t>{i.at(quad).u(0),     i.at(quad + 1).u(0),      i.at(quad + 2).u(0),
                                              i.at(quad + 3).u(0), i.at(l ^ 1).u(1),         i.at(l ^ 2).u(1),
                                              i.at(l ^ 3).u(1),    bits_of(i.at(l ^ 2).f(3))};
               }),
      in_text("rotation", R"(
      OpCapability GroupNonUniformRotateKHR
      OpExtension "SPV_KHR_subgroup_rotate"
      %v = OpCompositeConstruct %v2float %r1 %r2
      %a = OpGroupNonUniformRotateKHR %uint %c3 %u0 %c1 %c1
      %b = OpGroupNonUniformRotateKHR %uint %c3 %u0 %c0
      %c = OpGroupNonUniformRotateKHR %v2float %c3 %v %c0 %c1
      %d = OpCompositeExtract %float %c 1
      put %a
      put %b
      putf %d)",
              [](const Invocation& i) { return std::vector<uint32_t>{i.u(0), i.u(0), bits_of(i.f(2))}; }),
      // A rotation may reach every lane only if every subgroup is full.
      in_text("rotation of full subgroups", R"(
      OpCapability GroupNonUniformRotateKHR
      OpExtension "SPV_KHR_subgroup_rotate"
      %in_size = OpTypePointer Input %uint
      OpDecorate %size BuiltIn SubgroupSize
      %size = OpVariable %in_size Input
      %n = OpLoad %uint %size
      %wide = OpUGreaterThanEqual %bool %n %c4
      %half_n = OpShiftRightLogical %uint %n %c1
      %a = OpGroupNonUniformRotateKHR %uint %c3 %u0 %c1
      %b = OpGroupNonUniformRotateKHR %uint %c3 %u1 %half_n
      OpSelectionMerge %after None
      OpBranchConditional %wide %then %after
      %then = OpLabel
      %c = OpGroupNonUniformRotateKHR %uint %c3 %u2 %c3 %c4
      put %a
      put %b
      put %c
      OpBranch %after
      %after = OpLabel)",
              [](const Invocation& i) {
                if (i.subgroup < 4) return std::vector<uint32_t>{};
                const uint32_t n = i.subgroup, l = i.lane();
                return std::vector<uint32_t>{i.at((l + 1) % n).u(0), i.at((l + n / 2) % n).u(1),
                                             i.at((l & ~3u) + (l + 3) % 4).u(2)};
              })
          .of(128, 2),
      // After the last operation lanes leave in turn: the second branch must not wait for those that took the first.
      in_text("leaving a switch in turn", R"(
      OpCapability GroupNonUniformArithmetic
      %bit0 = OpBitwiseAnd %uint %u0 %c1
      %bit1 = OpBitwiseAnd %uint %u1 %c1
      %leaves = OpINotEqual %bool %bit0 %c0
      %leaves_then = OpINotEqual %bool %bit1 %c0
      OpSelectionMerge %after None
      OpSwitch %c0 %case
      %case = OpLabel
      %sum = OpGroupNonUniformIAdd %uint %c3 Reduce %u2
      put %sum
      OpBranch %rest
      %rest = OpLabel
      OpSelectionMerge %on None
      OpBranchConditional %leaves %after %on
      %on = OpLabel
      OpBranchConditional %leaves_then %after %last
      %last = OpLabel
      put %u3
      OpBranch %after
      %after = OpLabel)",
              [](const Invocation& i) {
                uint32_t sum = 0;
                for (uint32_t l = 0; l < i.lanes(); ++l) sum += i.at(l).u(2);
                if (i.u(0) % 2 != 0 || i.u(1) % 2 != 0) return std::vector<uint32_t>{sum};
                return std::vector<uint32_t>{sum, i.u(3)};
              }),
      in_text("partitions", R"(
      OpCapability GroupNonUniformPartitionedNV
      OpExtension "SPV_NV_shader_subgroup_partitioned"
      %k = OpBitwiseAnd %uint %u0 %c3
      %p = OpGroupNonUniformPartitionNV %v4uint %k
      %sum = OpGroupNonUniformIAdd %uint %c3 PartitionedReduceNV %u1 %p
      %in = OpGroupNonUniformIAdd %uint %c3 PartitionedInclusiveScanNV %u1 %p
      %ex = OpGroupNonUniformIAdd %uint %c3 PartitionedExclusiveScanNV %u1 %p
      %high = OpGroupNonUniformSMax %int %c3 PartitionedReduceNV %s2 %p
      %low = OpGroupNonUniformFMin %float %c3 PartitionedReduceNV %r3 %p
      put4 %p
      put %sum
      put %in
      put %ex
      puti %high
      putf %low)",
              [](const Invocation& i) {
                const auto same = [&](const Invocation& l) { return (l.u(0) & 3) == (i.u(0) & 3); };
                std::vector<uint32_t> r = ballot(i, same);
                uint32_t sum = 0, in = 0, ex = 0;
                int32_t high = INT32_MIN;
                float low = INFINITY;
                for (uint32_t l = 0; l < i.lanes(); ++l) {
                  if (!same(i.at(l))) continue;
                  const uint32_t x = i.at(l).u(1);
                  sum += x, in += l <= i.lane() ? x : 0, ex += l < i.lane() ? x : 0;
                  high = std::max(high, int32_t(i.at(l).u(2))), low = std::min(low, i.at(l).f(3));
                }
                append(r, {sum, in, ex, uint32_t(high), bits_of(low)});
                return r;
              }),
  };
}
