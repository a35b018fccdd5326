#include "tests/translate/subgroups.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "tests/support/test.h"
#include "tests/translate/text.h"

// Subgroup reductions and scans with all lanes active, at every subgroup size, compared with C++ on the lanes' inputs.
// memory.cpp has those in divergent flow.

using namespace weft;
using namespace weft::test;

namespace {

using Value = std::function<uint64_t(const Invocation&)>;
using Combine = std::function<uint64_t(uint64_t, uint64_t)>;

// Combines the lanes from `from` to before `to`.
uint64_t folded(const Invocation& i, uint32_t from, uint32_t to, const Value& value, const Combine& combine,
                uint64_t identity) {
  uint64_t result = identity;
  for (uint32_t l = from; l < std::min(to, i.lanes()); ++l) result = combine(result, value(i.at(l)));
  return result;
}

struct Reduction {
  const char* name;  ///< As in OpGroupNonUniform...
  std::function<uint64_t(uint64_t, uint64_t, uint32_t)> combine;
  std::function<uint64_t(uint32_t)> identity;
};

const std::vector<Reduction>& reductions() {
  static const auto ones = [](uint32_t w) { return cut(~uint64_t{0}, w); };
  static const auto zero = [](uint32_t) { return uint64_t{0}; };
  static const auto least = [](uint32_t w) { return uint64_t{1} << (w - 1); };
  static const std::vector<Reduction> list{
      {"IAdd", [](uint64_t a, uint64_t b, uint32_t w) { return cut(a + b, w); }, zero},
      {"IMul", [](uint64_t a, uint64_t b, uint32_t w) { return cut(a * b, w); }, [](uint32_t) { return uint64_t{1}; }},
      {"UMin", [](uint64_t a, uint64_t b, uint32_t) { return std::min(a, b); }, ones},
      {"UMax", [](uint64_t a, uint64_t b, uint32_t) { return std::max(a, b); }, zero},
      {"SMin", [](uint64_t a, uint64_t b, uint32_t w) { return extended(a, w) < extended(b, w) ? a : b; },
       [](uint32_t w) { return cut(~uint64_t{0}, w) >> 1; }},
      {"SMax", [](uint64_t a, uint64_t b, uint32_t w) { return extended(a, w) > extended(b, w) ? a : b; }, least},
      {"BitwiseAnd", [](uint64_t a, uint64_t b, uint32_t) { return a & b; }, ones},
      {"BitwiseOr", [](uint64_t a, uint64_t b, uint32_t) { return a | b; }, zero},
      {"BitwiseXor", [](uint64_t a, uint64_t b, uint32_t) { return a ^ b; }, zero}};
  return list;
}

// Integers of `width` bits: reductions, both scans, and reductions in clusters of 4.
KernelCase integers(uint32_t width) {
  const std::string w = number(width), type = width == 32 ? "%uint" : "%uint" + w;
  std::string text =
      "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\nOpCapability GroupNonUniformClustered\n";
  if (width != 32) text += "OpCapability Int" + w + "\n" + type + " = OpTypeInt " + w + " 0\n";
  if (width == 64) {
    text += "%pair = OpCompositeConstruct %v2uint %u0 %u1\n%x = OpBitcast %uint64 %pair\n";
  } else {
    text += std::string("%x = ") + (width == 32 ? "OpCopyObject " : "OpUConvert ") + type + " %u0\n";
  }
  const char* const kinds[] = {"Reduce %x", "InclusiveScan %x", "ExclusiveScan %x", "ClusteredReduce %x %c4"};
  for (const Reduction& r : reductions()) {
    std::string last;
    for (int k = 0; k < 4; ++k) {
      const std::string id = std::string("%") + r.name + number(k);
      text += id + " = OpGroupNonUniform" + r.name + " " + type + " %c3 " + kinds[k] + "\n";
      // Two results are combined, so that all fit: the first plus 3 times the second.
      if (k % 2 == 0) {
        last = id;
        continue;
      }
      const std::string narrow_1 = last + "_n", narrow_2 = id + "_n";
      if (width == 64) {
        text += id + "_rotated = OpBitwiseXor %uint64 " + last + " " + id + "\n" + "put64 " + id + "_rotated\n";
        if (k == 3) text += "";
      } else {
        const std::string convert = width == 32 ? " = OpCopyObject %uint " : " = OpUConvert %uint ";
        text += narrow_1 + convert + last + "\n" + narrow_2 + convert + id + "\n" + id + "_3 = OpIMul %uint " +
                narrow_2 + " %c3\n" + id + "_sum = OpIAdd %uint " + narrow_1 + " " + id + "_3\nput " + id + "_sum\n";
      }
    }
  }
  if (width == 64) {  // would be 36 words
    const size_t cut_at = text.find("%BitwiseXor0");
    text = text.substr(0, cut_at);
  }
  KernelCase result = assembly("subgroup arithmetic on integers of " + w + " bits", text);
  result.depends_on_subgroups = true;
  return result.of(96, 2).version(width == 16 ? 3 : 5).judged_by([=](const Invocation& i) {
    const Value value = [=](const Invocation& lane) { return cut(lane.u(0) | uint64_t{lane.u(1)} << 32, width); };
    std::vector<uint32_t> results;
    for (const Reduction& r : reductions()) {
      if (width == 64 && std::string_view(r.name) == "BitwiseXor") break;
      const Combine combine = [&](uint64_t a, uint64_t b) { return r.combine(a, b, width); };
      const uint64_t identity = r.identity(width);
      const uint32_t cluster = i.lane() & ~3u, size = i.subgroup < 4 ? i.subgroup : 4;
      const uint64_t values[] = {folded(i, 0, i.subgroup, value, combine, identity),
                                 folded(i, 0, i.lane() + 1, value, combine, identity),
                                 folded(i, 0, i.lane(), value, combine, identity),
                                 folded(i, cluster, cluster + size, value, combine, identity)};
      for (int k = 0; k < 4; k += 2) {
        if (width == 64) {
          results.push_back(uint32_t(values[k] ^ values[k + 1]));
          results.push_back(uint32_t((values[k] ^ values[k + 1]) >> 32));
        } else {
          results.push_back(uint32_t(values[k]) + 3 * uint32_t(values[k + 1]));
        }
      }
    }
    return results;
  });
}

}  // namespace

CORPUS("subgroup arithmetic") {
  std::vector<KernelCase> cases;
  for (const uint32_t width : {8, 16, 32, 64}) cases.push_back(integers(width));
  cases.push_back(of_lanes({"subgroup arithmetic on floats", subgroup_extensions, R"(
      float x = float(int(u(0) & 15u) - 8); double d = double(int(u(1) & 15u) - 8); uint n = gl_SubgroupSize; putf(subgroupAdd(x)); putf(subgroupInclusiveAdd(x)); putf(subgroupExclusiveAdd(x)); putf(subgroupMin(x)); putf(subgroupMax(x)); putf(subgroupInclusiveMin(x)); putf(subgroupInclusiveMax(x));
      putf(subgroupClusteredAdd(x, 1u)); putf(subgroupClusteredMin(x, 4u)); putf(subgroupMul(x == 0.0 ? 1.0 : sign(x))); putf(subgroupExclusiveMul(x == 0.0 ? 1.0 : sign(x))); putf(float(subgroupAdd(d))); putf(float(subgroupExclusiveAdd(d))); putf(float(subgroupMin(d))); putf(float(subgroupInclusiveMax(d)));
      vec3 v = vec3(x, 1.0, x * 2.0); v = subgroupInclusiveAdd(v); putf(v.y); putf(v.z); dvec2 w = subgroupMax(dvec2(d, -d)); putf(float(w.y)); putf(subgroupExclusiveMin(x)); putf(subgroupExclusiveMax(x));)"},
                           [](const Invocation& i) {
                             const auto x = [](const Invocation& l) { return float(int(l.u(0) & 15) - 8); };
                             const auto d = [](const Invocation& l) { return float(int(l.u(1) & 15) - 8); };
                             const auto sign = [&](const Invocation& l) { return x(l) < 0 ? -1.0f : 1.0f; };
                             const auto fold = [&](auto value, auto combine, float start, uint32_t from, uint32_t to) {
                               for (uint32_t l = from; l < std::min(to, i.lanes()); ++l)
                                 start = combine(start, value(i.at(l)));
                               return start;
                             };
                             const auto add = [](float a, float b) { return a + b; };
                             const auto mul = [](float a, float b) { return a * b; };
                             const auto low = [](float a, float b) { return std::min(a, b); };
                             const auto high = [](float a, float b) { return std::max(a, b); };
                             const uint32_t all = i.subgroup, me = i.lane(), cluster = me & ~3u;
                             std::vector<uint32_t> r;
                             for (const float value :
                                  {fold(x, add, 0, 0, all),
                                   fold(x, add, 0, 0, me + 1),
                                   fold(x, add, 0, 0, me),
                                   fold(x, low, INFINITY, 0, all),
                                   fold(x, high, -INFINITY, 0, all),
                                   fold(x, low, INFINITY, 0, me + 1),
                                   fold(x, high, -INFINITY, 0, me + 1),
                                   x(i),
                                   fold(x, low, INFINITY, all < 4 ? me : cluster, all < 4 ? me + 1 : cluster + 4),
                                   fold(sign, mul, 1, 0, all),
                                   fold(sign, mul, 1, 0, me),
                                   fold(d, add, 0, 0, all),
                                   fold(d, add, 0, 0, me),
                                   fold(d, low, INFINITY, 0, all),
                                   fold(d, high, -INFINITY, 0, me + 1),
                                   float(me + 1),
                                   2 * fold(x, add, 0, 0, me + 1),
                                   -fold(d, low, INFINITY, 0, all),
                                   fold(x, low, INFINITY, 0, me),
                                   fold(x, high, -INFINITY, 0, me)})
                               r.push_back(bits_of(value + 0.0f));
                             return r;
                           }));
  cases.back().ulps = 1;  // the sign of zero is open
  cases.push_back(in_text("logical subgroup arithmetic", R"(
      OpCapability GroupNonUniformArithmetic
      OpCapability GroupNonUniformClustered
      %a = OpINotEqual %bool %u0 %c0
      %low = OpBitwiseAnd %uint %u1 %c1
      %b = OpIEqual %bool %low %c1
      %and = OpGroupNonUniformLogicalAnd %bool %c3 Reduce %a
      %or = OpGroupNonUniformLogicalOr %bool %c3 ExclusiveScan %b
      %xor = OpGroupNonUniformLogicalXor %bool %c3 InclusiveScan %b
      %and2 = OpGroupNonUniformLogicalAnd %bool %c3 ExclusiveScan %b
      %or2 = OpGroupNonUniformLogicalOr %bool %c3 ClusteredReduce %b %c1
      %xor2 = OpGroupNonUniformLogicalXor %bool %c3 Reduce %b
      putb %and
      putb %or
      putb %xor
      putb %and2
      putb %or2
      putb %xor2)",
                          [](const Invocation& i) {
                            const Value a = [](const Invocation& l) { return uint64_t(l.u(0) != 0); },
                                        b = [](const Invocation& l) { return uint64_t(l.u(1) & 1); };
                            const auto fold = [&](const Value& v, uint32_t to, Combine c, uint64_t start) {
                              return uint32_t(folded(i, 0, to, v, c, start));
                            };
                            const Combine both = [](uint64_t x, uint64_t y) { return x & y; },
                                          either = [](uint64_t x, uint64_t y) { return x | y; },
                                          odd = [](uint64_t x, uint64_t y) { return x ^ y; };
                            return std::vector<uint32_t>{fold(a, i.subgroup, both, 1),
                                                         fold(b, i.lane(), either, 0),
                                                         fold(b, i.lane() + 1, odd, 0),
                                                         fold(b, i.lane(), both, 1),
                                                         i.u(1) & 1,
                                                         fold(b, i.subgroup, odd, 0)};
                          }));
  for (const uint32_t size : {2, 8}) {  // a cluster wider than the subgroup is not allowed
    cases.push_back(of_lanes(
        {"clusters of " + number(size), subgroup_extensions,
         "if (gl_SubgroupSize >= " + number(size) + "u) { put(subgroupClusteredAdd(u(0), " + number(size) +
             "u)); put(subgroupClusteredMax(u(1), " + number(size) + "u)); put(uint(subgroupClusteredMin(int(u(2)), " +
             number(size) + "u))); put(subgroupClusteredXor(u(3), " + number(size) + "u)); }"},
        [=](const Invocation& i) {
          if (i.subgroup < size) return std::vector<uint32_t>{};
          const uint32_t first = i.lane() & ~(size - 1);
          const auto fold = [&](uint32_t k, Combine c, uint64_t start) {
            return uint32_t(folded(i, first, first + size, [=](const Invocation& l) { return l.u(k); }, c, start));
          };
          return std::vector<uint32_t>{
              fold(0, std::plus<uint64_t>(), 0),
              fold(
                  1, [](uint64_t a, uint64_t b) { return std::max(a, b); }, 0),
              fold(
                  2, [](uint64_t a, uint64_t b) { return int32_t(a) < int32_t(b) ? a : b; }, 0x7fffffff),
              fold(3, std::bit_xor<uint64_t>(), 0)};
        }));
  }
  return cases;
}
