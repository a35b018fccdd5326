#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "tests/support/test.h"
#include "tests/translate/subgroups.h"

// Subgroup operations with only some lanes active, compared with C++ on the inputs of those lanes.

using namespace weft;
using namespace weft::test;

namespace {

using Holds = std::function<bool(const Invocation&)>;

// Returns the sum of word `k` over the lanes that satisfy the predicate.
uint32_t sum(const Invocation& i, uint32_t k, const Holds& active) {
  uint32_t result = 0;
  for (uint32_t l = 0; l < i.lanes(); ++l) result += active(i.at(l)) ? i.at(l).u(k) : 0;
  return result;
}

Holds bit(uint32_t k, uint32_t shift) {
  return [=](const Invocation& l) { return (l.u(k) >> shift & 1) != 0; };
}

// Turns each line "where %x" into a selection by %x that puts the sum of word 4 over the lanes where %x is true. The
// following code is in block %after_x.
std::string with_sums(std::string text) {
  for (size_t at; (at = text.find("where %")) != std::string::npos;) {
    const size_t end = text.find('\n', at);
    const std::string x = text.substr(at + 7, end - at - 7);
    text.replace(at, end - at,
                 "OpSelectionMerge %after_" + x + " None\nOpBranchConditional %" + x + " %in_" + x + " %after_" + x +
                     "\n%in_" + x + " = OpLabel\n%sum_" + x +
                     " = OpGroupNonUniformIAdd %uint %c3 Reduce %u4\nput %sum_" + x + "\nOpBranch %after_" + x +
                     "\n%after_" + x + " = OpLabel");
  }
  return text;
}

}  // namespace

CORPUS("lanes that continue are back for the next turn") {
  return {
      // The only exit of these loops is at their headers.
      of_lanes({"continue in loops that nothing else leaves", subgroup_extensions, R"(
      uint s = 0u; for (uint k = 0u; k < 5u; ++k) { if ((u(0) >> k & 1u) != 0u) continue; s += subgroupAdd(u(4)); } put(s);
      s = 0u; for (uint k = 0u; k < 5u; s += subgroupAdd(u(4)), ++k) { if ((u(0) >> k & 1u) != 0u) { s ^= subgroupAdd(u(5)); continue; } s *= 3u; } put(s);
      s = 0u; for (uint k = 0u; k < (u(1) & 3u); ++k) { s = s * 3u + subgroupAdd(u(5)); if ((u(0) >> k & 1u) == 0u) { if ((u(2) >> k & 1u) != 0u) continue; s += subgroupAdd(u(4)); } } put(s);)"},
               [](const Invocation& i) {
                 uint32_t a = 0, b = 0, c = 0;
                 for (uint32_t k = 0; k < 5; ++k) {
                   const Holds set = bit(0, k), all = [](const Invocation&) { return true; };
                   if (!set(i)) a += sum(i, 4, std::not_fn(set));
                   b = (set(i) ? b ^ sum(i, 5, set) : b * 3) + sum(i, 4, all);
                 }
                 for (uint32_t k = 0; k < (i.u(1) & 3); ++k) {
                   const Holds turn = [=](const Invocation& l) { return k < (l.u(1) & 3); };
                   const Holds last = [=](const Invocation& l) { return turn(l) && !bit(0, k)(l) && !bit(2, k)(l); };
                   c = c * 3 + sum(i, 5, turn) + (last(i) ? sum(i, 4, last) : 0);
                 }
                 return std::vector<uint32_t>{a, b, c};
               }),
      in_text("continue by a branch that opens no selection", R"(
      OpCapability GroupNonUniformArithmetic
      OpBranch %header
      %header = OpLabel
      %k = OpPhi %uint %c0 %entry %next_k %next
      %s = OpPhi %uint %c0 %entry %next_s %next
      %more = OpULessThan %bool %k %c5
      OpLoopMerge %done %next None
      OpBranchConditional %more %body %done
      %body = OpLabel
      %shifted = OpShiftRightLogical %uint %u0 %k
      %low = OpBitwiseAnd %uint %shifted %c1
      %set = OpINotEqual %bool %low %c0
      OpBranchConditional %set %next %rest
      %rest = OpLabel
      %some = OpGroupNonUniformIAdd %uint %c3 Reduce %u4
      %more_s = OpIAdd %uint %s %some
      OpBranch %next
      %next = OpLabel
      %t = OpPhi %uint %s %body %more_s %rest
      %all = OpGroupNonUniformIAdd %uint %c3 Reduce %u5
      %next_s = OpIAdd %uint %t %all
      %next_k = OpIAdd %uint %k %c1
      OpBranch %header
      %done = OpLabel
      put %s)",
              [](const Invocation& i) {
                uint32_t s = 0;
                for (uint32_t k = 0; k < 5; ++k) {
                  if (!bit(0, k)(i)) s += sum(i, 4, std::not_fn(bit(0, k)));
                  s += sum(i, 5, [](const Invocation&) { return true; });
                }
                return std::vector<uint32_t>{s};
              }),
  };
}

// Lanes leave two loops at once by a return and by a flag, and one from within selections.
CORPUS("lanes that leave loops stay away until they end") {
  const std::string functions = R"(// functions
      uint leave(uint x, uint a, uint b) {
        uint s = 0u;
        for (uint k = 0u; k < 4u; ++k) {
          for (uint j = 0u; j < 3u; ++j) { if ((x >> 3u * k + j & 1u) != 0u) return s * 5u + k; s += subgroupAdd(a); }
          s ^= subgroupAdd(b);
        }
        return s;
      })";
  return {
      of_lanes({"leaving loops", subgroup_extensions + functions, R"(
      uint x = u(0) & u(1), y = u(2) & u(3), s = 0u; put(leave(x, u(4), u(5))); put(subgroupAdd(u(6)));
      for (uint k = 0u; k < 4u; ++k) { bool found = false; for (uint j = 0u; j < 3u; ++j) { if ((x >> 3u * k + j & 1u) != 0u) { found = true; break; } s += subgroupAdd(u(4)); } if (found) break; s ^= subgroupAdd(u(5)); } put(s); put(subgroupAdd(u(6)));
      s = 0u; for (uint k = 0u; k < 4u; ++k) { if ((y >> k & 1u) != 0u) { if (k > 1u) break; return; } s += subgroupAdd(u(4)); } put(s); put(subgroupAdd(u(7)));)"},
               [](const Invocation& i) {
                 // Whether none of bits 0 to `last` of the two words' conjunction is set.
                 const auto clear = [](uint32_t one, uint32_t other, uint32_t last) -> Holds {
                   return [=](const Invocation& l) { return (l.u(one) & l.u(other) & ((2u << last) - 1)) == 0; };
                 };
                 uint32_t s = 0, k = 0;
                 for (uint32_t p = 0; p < 12 && clear(0, 1, p)(i); ++p) {
                   s += sum(i, 4, clear(0, 1, p)), k = (p + 1) / 3;
                   if (p % 3 == 2) s ^= sum(i, 5, clear(0, 1, p));
                 }
                 const uint32_t all = sum(i, 6, [](const Invocation&) { return true; });
                 std::vector<uint32_t> r{k == 4 ? s : s * 5 + k, all, s, all};
                 if (!clear(2, 3, 1)(i)) return r;
                 s = 0;
                 for (k = 0; k < 4 && clear(2, 3, k)(i); ++k) s += sum(i, 4, clear(2, 3, k));
                 r.insert(r.end(), {s, sum(i, 7, clear(2, 3, 1))});
                 return r;
               }),
  };
}

// Arguments and results go through copies, which the translation leaves out where nobody can tell.
CORPUS("arguments of lanes and what changes them") {
  const std::string functions = R"(// functions
      uint add(uint a, uint b) { return a * 3u + b; }
      uint bump(inout uint a) { a = a * 5u + 1u; return a; }
      void both(uint a, inout uint b) { b += a; b ^= a; }
      void fill(out uint a[4], uint x) { for (uint k = 0u; k < 4u; ++k) a[k] = x + k; }
      void turn(inout uint a[4]) { uint first = a[0]; for (int k = 0; k < 3; ++k) a[k] = a[k + 1]; a[3] = first; }
      uint total(uint a[4]) { uint s = 0u; for (int k = 0; k < 4; ++k) s = s * 7u + a[k]; return s; }
      uint summed(inout uint a) { a += subgroupAdd(a); return a; })";
  return {
      of_lanes({"arguments by copy", subgroup_extensions + functions, R"(
      uint x = u(0), y = u(1); uint a[4], b[4]; fill(a, x); turn(a); b = a; turn(b);
      put(add(x, y)); put(add(bump(x), x)); both(x, x); put(x); both(y, x); put(x); put(total(a)); put(total(b));
      for (uint k = 0u; k < (u(2) & 3u); ++k) { fill(b, x + k); turn(b); b[k] ^= y; x += total(b) + bump(y); }
      put(x); put(summed(x)); put(x); for (uint k = 0u; k < 2u; ++k) { turn(a); y += summed(a[1]); } put(y);)"},
               [](const Invocation& i) {
                 using Four = std::array<uint32_t, 4>;
                 const auto bump = [](uint32_t& v) { return v = v * 5 + 1; };
                 const auto both = [](uint32_t v, uint32_t& to) { to += v, to ^= v; };
                 const auto fill = [](Four& to, uint32_t v) { std::iota(to.begin(), to.end(), v); };
                 const auto turn = [](Four& v) { std::ranges::rotate(v, v.begin() + 1); };
                 const auto total = [](const Four& v) {
                   return std::accumulate(v.begin(), v.end(), 0u, [](uint32_t s, uint32_t w) { return s * 7 + w; });
                 };
                 struct State {
                   std::vector<uint32_t> results;
                   uint32_t x, y;
                   Four a;
                 };
                 const auto before = [&](const Invocation& l) {
                   State s{{}, l.u(0), l.u(1), {}};
                   Four b;
                   fill(s.a, s.x), turn(s.a), b = s.a, turn(b);
                   s.results.push_back(s.x * 3 + s.y);
                   bump(s.x), s.results.push_back(s.x * 3 + s.x);
                   both(s.x, s.x), s.results.push_back(s.x);
                   both(s.y, s.x), s.results.push_back(s.x);
                   s.results.push_back(total(s.a)), s.results.push_back(total(b));
                   for (uint32_t k = 0; k < (l.u(2) & 3); ++k) {
                     fill(b, s.x + k), turn(b), b[k] ^= s.y;
                     const uint32_t t = total(b);
                     s.x += t + bump(s.y);
                   }
                   s.results.push_back(s.x);
                   return s;
                 };
                 State mine = before(i);
                 uint32_t all = 0, turned[2] = {};
                 for (uint32_t l = 0; l < i.lanes(); ++l) {
                   State s = before(i.at(l));
                   all += s.x;
                   turn(s.a), turned[0] += s.a[1];
                 }
                 mine.x += all;
                 mine.results.insert(mine.results.end(), {mine.x, mine.x});
                 turn(mine.a), mine.a[1] += turned[0], mine.y += mine.a[1];
                 for (uint32_t l = 0; l < i.lanes(); ++l) {
                   State s = before(i.at(l));
                   turn(s.a), s.a[1] += turned[0], turn(s.a), turned[1] += s.a[1];
                 }
                 turn(mine.a), mine.a[1] += turned[1], mine.y += mine.a[1];
                 mine.results.push_back(mine.y);
                 return mine.results;
               }),
  };
}

CORPUS("conditions that differ among lanes") {
  return {
      // These depend only on the block that lanes came from: after an if, a switch or a loop, and at the end of an
      // iteration; then in a case that lanes may fall into.
      in_text("phis of constants", with_sums(R"(
      OpCapability GroupNonUniformArithmetic
      %odd_bit = OpBitwiseAnd %uint %u0 %c1
      %odd = OpINotEqual %bool %odd_bit %c0
      OpSelectionMerge %if_end None
      OpBranchConditional %odd %then %if_end
      %then = OpLabel
      OpBranch %if_end
      %if_end = OpLabel
      %by_if = OpPhi %bool %yes %then %no %entry
      where %by_if
      %k = OpBitwiseAnd %uint %u1 %c3
      OpSelectionMerge %switch_end None
      OpSwitch %k %other 1 %one
      %one = OpLabel
      OpBranch %switch_end
      %other = OpLabel
      OpBranch %switch_end
      %switch_end = OpLabel
      %which = OpPhi %uint %c7 %one %c9 %other
      %by_switch = OpIEqual %bool %which %c9
      where %by_switch
      OpBranch %header
      %header = OpLabel
      %turn = OpPhi %uint %c0 %after_by_switch %next_turn %next
      %more = OpULessThan %bool %turn %c3
      OpLoopMerge %loop_end %next None
      OpBranchConditional %more %body %loop_end
      %body = OpLabel
      %shifted = OpShiftRightLogical %uint %u2 %turn
      %low = OpBitwiseAnd %uint %shifted %c1
      %found = OpINotEqual %bool %low %c0
      OpBranchConditional %found %loop_end %next
      %next = OpLabel
      %next_turn = OpIAdd %uint %turn %c1
      OpBranch %header
      %loop_end = OpLabel
      %by_loop = OpPhi %bool %no %header %yes %body
      where %by_loop
      OpBranch %again
      %again = OpLabel
      %once = OpPhi %bool %yes %after_by_loop %no %after_by_turn
      OpLoopMerge %all_end %turn_end None
      OpBranchConditional %once %inside %all_end
      %inside = OpLabel
      OpBranchConditional %odd %turn_end %even
      %even = OpLabel
      OpBranch %turn_end
      %turn_end = OpLabel
      %by_turn = OpPhi %bool %no %inside %yes %even
      where %by_turn
      OpBranch %again
      %all_end = OpLabel)"),
              [](const Invocation& i) {
                const Holds odd = bit(0, 0), found = [](const Invocation& l) { return (l.u(2) & 7) != 0; };
                const Holds other = [](const Invocation& l) { return (l.u(1) & 3) != 1; };
                std::vector<uint32_t> r;
                for (const Holds& holds : {odd, other, found, Holds(std::not_fn(odd))})
                  r.push_back(holds(i) ? sum(i, 4, holds) : unwritten);
                return r;
              }),
      in_text("phi of constants in a case", with_sums(R"(
      OpCapability GroupNonUniformArithmetic
      %k = OpBitwiseAnd %uint %u1 %c3
      OpSelectionMerge %cases_end None
      OpSwitch %k %second 0 %first_case 1 %cases_end
      %first_case = OpLabel
      OpBranch %second
      %second = OpLabel
      %by_case = OpPhi %bool %yes %entry %no %first_case
      where %by_case
      OpBranch %cases_end
      %cases_end = OpLabel)"),
              [](const Invocation& i) {
                const Holds jumped = [](const Invocation& l) { return (l.u(1) & 3) > 1; };
                return std::vector<uint32_t>{jumped(i) ? sum(i, 4, jumped) : unwritten};
              }),
      // Some lanes of a case go to the next one.
      in_text("falling into the next case", with_sums(R"(
      OpCapability GroupNonUniformArithmetic
      %odd_bit = OpBitwiseAnd %uint %u0 %c1
      %odd = OpINotEqual %bool %odd_bit %c0
      %low_bit = OpBitwiseAnd %uint %u2 %c1
      %low = OpINotEqual %bool %low_bit %c0
      %k = OpBitwiseAnd %uint %u1 %c3
      OpSelectionMerge %cases_end None
      OpSwitch %k %second 0 %first_case 1 %cases_end
      %first_case = OpLabel
      where %low
      OpBranchConditional %odd %second %cases_end
      %second = OpLabel
      %fell = OpPhi %bool %no %entry %yes %after_low
      where %fell
      OpBranch %cases_end
      %cases_end = OpLabel
      %sum_all = OpGroupNonUniformIAdd %uint %c3 Reduce %u4
      put %sum_all)"),
              [](const Invocation& i) {
                const Holds first = [](const Invocation& l) { return (l.u(1) & 3) == 0; };
                const Holds low = [=](const Invocation& l) { return first(l) && bit(2, 0)(l); };
                const Holds falls = [=](const Invocation& l) { return first(l) && bit(0, 0)(l); };
                std::vector<uint32_t> r;
                for (const Holds& holds : {low, falls}) r.push_back(holds(i) ? sum(i, 4, holds) : unwritten);
                r.push_back(sum(i, 4, [](const Invocation&) { return true; }));
                return r;
              }),
      // Lanes that are together in a branch agree on its condition. The value at one address may change between two
      // lanes' loads, as by each lane's store here; an unchanging value may be at a different address for each lane.
      of_lanes({"loads", "#extension GL_EXT_buffer_reference2 : require\n" + subgroup_extensions + R"(// memory
layout(buffer_reference, std430) buffer Words { uint v[]; };
layout(push_constant, std430) uniform Push { Words zeros; Words random; uint four[4]; } push;
layout(set = 0, binding = 2, std140) uniform Uniforms { uvec4 v[64]; } uniforms;
layout(set = 0, binding = 5, std430) buffer Zeros { uint v[]; } zeros;
shared uint flag;
#define CHECK(x) { uint c = x; if (c != 0u) put(uint(subgroupMin(c) != 0u)); else put(uint(subgroupMax(c) == 0u)); }
)",
                R"(
      uint group = gl_WorkGroupID.x, lane = gl_SubgroupInvocationID; if (gl_LocalInvocationIndex == 0u) flag = 0u; barrier();
      uint x = zeros.v[group]; zeros.v[group] = 1u; CHECK(x); uint y = push.zeros.v[group]; push.zeros.v[group] = 1u; CHECK(y); uint z = flag; flag = 1u; CHECK(z);
      CHECK(uniforms.v[lane & 63u].x & 1u); CHECK(push.four[lane & 3u] & 2u); CHECK(given.words[id] & 1u); CHECK(push.random.v[lane] & 1u);)"},
               [](const Invocation&) { return std::vector<uint32_t>(7, 1); }),
  };
}
