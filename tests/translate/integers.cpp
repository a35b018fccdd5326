#include <algorithm>
#include <bit>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Integer instructions of every width, on scalars and vectors, compared with C++.

using namespace weft;
using namespace weft::test;

namespace {

struct Operands {
  uint64_t a, b;  // b is never 0 nor -1 for divisions
  uint32_t width, shift;
  int64_t sa() const { return extended(a, width); }
  int64_t sb() const { return extended(b, width); }
};

struct Operation {
  const char* text;  // the instruction: %a, %b, %d (a divisor), %s (a shift), %T its type; "?" before a comparison
  uint64_t (*value)(const Operands&);
};

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;
uint64_t high_half(const Operands& o, bool is_signed) {
  if (is_signed) return uint64_t((Wide(o.sa()) * o.sb()) >> o.width);
  return uint64_t((UnsignedWide(o.a) * o.b) >> o.width);
}
int64_t modulo(const Operands& o) {
  const int64_t rest = o.sa() % o.sb();
  return rest != 0 && (rest < 0) != (o.sb() < 0) ? rest + o.sb() : rest;
}

const std::vector<Operation> arithmetic{
    {"OpIAdd %T %a %b", [](const Operands& o) { return o.a + o.b; }},
    {"OpISub %T %a %b", [](const Operands& o) { return o.a - o.b; }},
    {"OpIMul %T %a %b", [](const Operands& o) { return o.a * o.b; }},
    {"OpSNegate %T %a", [](const Operands& o) { return 0 - o.a; }},
    {"OpUDiv %T %a %d", [](const Operands& o) { return o.a / o.b; }},
    {"OpUMod %T %a %d", [](const Operands& o) { return o.a % o.b; }},
    {"OpSDiv %T %a %d", [](const Operands& o) { return uint64_t(o.sa() / o.sb()); }},
    {"OpSRem %T %a %d", [](const Operands& o) { return uint64_t(o.sa() % o.sb()); }},
    {"OpExtInst %T %glsl SAbs %a", [](const Operands& o) { return uint64_t(o.sa() < 0 ? 0 - o.a : o.a); }},
    {"OpExtInst %T %glsl SSign %a", [](const Operands& o) { return uint64_t(int64_t((o.sa() > 0) - (o.sa() < 0))); }},
    {"OpExtInst %T %glsl UMin %a %b", [](const Operands& o) { return std::min(o.a, o.b); }},
    {"OpExtInst %T %glsl UMax %a %b", [](const Operands& o) { return std::max(o.a, o.b); }},
    {"OpExtInst %T %glsl SMin %a %b", [](const Operands& o) { return uint64_t(std::min(o.sa(), o.sb())); }},
    {"OpExtInst %T %glsl SMax %a %b", [](const Operands& o) { return uint64_t(std::max(o.sa(), o.sb())); }},
    {"OpExtInst %T %glsl UClamp %a %low %high", [](const Operands& o) { return std::clamp<uint64_t>(o.a, 5, 100); }},
    {"OpExtInst %T %glsl SClamp %a %low %high",
     [](const Operands& o) { return uint64_t(std::clamp<int64_t>(o.sa(), 5, 100)); }},
};

const std::vector<Operation> modulo_signed{
    {"OpSMod %T %a %d", [](const Operands& o) { return uint64_t(modulo(o)); }},
};

const std::vector<Operation> bits{
    {"OpBitwiseAnd %T %a %b", [](const Operands& o) { return o.a & o.b; }},
    {"OpBitwiseOr %T %a %b", [](const Operands& o) { return o.a | o.b; }},
    {"OpBitwiseXor %T %a %b", [](const Operands& o) { return o.a ^ o.b; }},
    {"OpNot %T %a", [](const Operands& o) { return ~o.a; }},
    {"OpShiftLeftLogical %T %a %s", [](const Operands& o) { return o.a << o.shift; }},
    {"OpShiftRightLogical %T %a %s", [](const Operands& o) { return o.a >> o.shift; }},
    {"OpShiftRightArithmetic %T %a %s", [](const Operands& o) { return uint64_t(o.sa() >> o.shift); }},
    {"?OpIEqual %B %a %b", [](const Operands& o) { return uint64_t(o.a == o.b); }},
    {"?OpINotEqual %B %a %b", [](const Operands& o) { return uint64_t(o.a != o.b); }},
    {"?OpULessThan %B %a %b", [](const Operands& o) { return uint64_t(o.a < o.b); }},
    {"?OpULessThanEqual %B %a %b", [](const Operands& o) { return uint64_t(o.a <= o.b); }},
    {"?OpUGreaterThan %B %a %b", [](const Operands& o) { return uint64_t(o.a > o.b); }},
    {"?OpUGreaterThanEqual %B %a %b", [](const Operands& o) { return uint64_t(o.a >= o.b); }},
    {"?OpSLessThan %B %a %b", [](const Operands& o) { return uint64_t(o.sa() < o.sb()); }},
    {"?OpSLessThanEqual %B %a %b", [](const Operands& o) { return uint64_t(o.sa() <= o.sb()); }},
    {"?OpSGreaterThan %B %a %b", [](const Operands& o) { return uint64_t(o.sa() > o.sb()); }},
    {"?OpSGreaterThanEqual %B %a %b", [](const Operands& o) { return uint64_t(o.sa() >= o.sb()); }},
};

// Results that are structs of two parts: the number in front selects the part that is the result.
const std::vector<Operation> extended_results{
    {"0OpIAddCarry %S %a %b", [](const Operands& o) { return o.a + o.b; }},
    {"1OpIAddCarry %S %a %b", [](const Operands& o) { return uint64_t(cut(o.a + o.b, o.width) < o.a); }},
    {"0OpISubBorrow %S %a %b", [](const Operands& o) { return o.a - o.b; }},
    {"1OpISubBorrow %S %a %b", [](const Operands& o) { return uint64_t(o.a < o.b); }},
    {"0OpUMulExtended %S %a %b", [](const Operands& o) { return o.a * o.b; }},
    {"1OpUMulExtended %S %a %b", [](const Operands& o) { return high_half(o, false); }},
    {"0OpSMulExtended %S %a %b", [](const Operands& o) { return o.a * o.b; }},
    {"1OpSMulExtended %S %a %b", [](const Operands& o) { return high_half(o, true); }},
};

// Names of types: %uint has 32 bits and already exists.
std::string scalar_type(uint32_t width) { return width == 32 ? "%uint" : "%uint" + number(width); }

std::string header(uint32_t width, uint32_t count) {
  std::string text = "%glsl = OpExtInstImport \"GLSL.std.450\"\n";
  if (width != 32)
    text += "OpCapability Int" + number(width) + "\n%uint" + number(width) + " = OpTypeInt " + number(width) + " 0\n";
  const std::string one = scalar_type(width);
  std::string type = one;
  if (count > 1) {
    type = "%v" + number(count) + (width == 32 ? "uint" : "uint" + number(width));
    if (width != 32) text += type + " = OpTypeVector " + one + " " + number(count) + "\n";
  }
  text += "%S = OpTypeStruct " + type + " " + type + "\n";
  for (const auto& [name, value] : {std::pair{"five", 5}, std::pair{"hundred", 100}, std::pair{"zero", 0},
                                    std::pair{"ones", 1}, std::pair{"mask_2", 2}}) {
    text += std::string("%") + name + "_scalar = OpConstant " + one + " " + number(value) + "\n";
    std::string parts;
    for (uint32_t k = 0; k < count; ++k) parts += std::string(" %") + name + "_scalar";
    if (count > 1) text += std::string("%") + name + " = OpConstantComposite " + type + parts + "\n";
  }
  return text;
}

// Component k of the first operand is words 2k and 2k + 1; of the second it is words 2k + 1 and 2k + 2.
constexpr uint32_t first_word(uint32_t operand, uint32_t k) { return 2 * k + operand; }

KernelCase kernel(const std::string& what, const std::vector<Operation>& operations, uint32_t width, uint32_t count) {
  const std::string one = scalar_type(width), n = number(count);
  const std::string type = count == 1 ? one : "%v" + n + one.substr(1),
                    boolean = count == 1 ? "%bool" : "%v" + n + "bool";
  const auto constant = [&](const std::string& name) { return "%" + name + (count == 1 ? "_scalar" : ""); };
  std::string text = header(width, count);
  for (const char* operand : {"a", "b"}) {
    std::string parts;
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t word = first_word(operand[0] == 'b', k);
      const std::string name = std::string("%") + operand + "_" + number(k), low = "%u" + number(word),
                        high = "%u" + number(word + 1);
      if (width == 64) {
        text += name + "_pair = OpCompositeConstruct %v2uint " + low + " " + high + "\n" + name + " = OpBitcast " +
                one + " " + name + "_pair\n";
      } else {
        text += name + " = " + (width == 32 ? "OpCopyObject " : "OpUConvert ") + one + " " + low + "\n";
      }
      parts += " " + name;
    }
    text += std::string("%") + operand + (count == 1 ? " = OpCopyObject " : " = OpCompositeConstruct ") + type + parts +
            "\n";
  }
  // The divisor is odd and lacks bit 1, so it is neither 0 nor -1; the shift is less than 8.
  text += "%not_2 = OpNot " + type + " " + constant("mask_2") + "\n%d_even = OpBitwiseAnd " + type +
          " %b %not_2\n%d = OpBitwiseOr " + type + " %d_even " + constant("ones") + "\n%s = OpBitwiseAnd " + type +
          " %b " + constant("five") + "\n";
  size_t k = 0;
  for (const Operation& operation : operations) {
    std::string instruction = operation.text;
    const char kind = instruction[0];
    if (kind != 'O') instruction.erase(0, 1);
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"%T", type},
                                   {"%B", boolean},
                                   {"%low", constant("five")},
                                   {"%high", constant("hundred")}}) {
      instruction = replaced(instruction, from, to);
    }
    const std::string name = "%" + replaced(operation.text, " ", "_");
    std::string clean;
    for (const char c : name) clean += c == '%' || std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    const std::string id = "%r" + number(100 + k++) + "_" + replaced(clean, "%", "");
    text += id + "_whole = " + instruction + "\n";
    std::string last = id + "_whole";
    if (kind == '0' || kind == '1') {
      text += id + "_part = OpCompositeExtract " + type + " " + last + " " + kind + "\n";
      last = id + "_part";
    } else if (kind == '?') {
      text += id + "_part = OpSelect " + type + " " + last + " " + constant("ones") + " " + constant("zero") + "\n";
      last = id + "_part";
    }
    // The components as one word: times 1, 31, 961, ..., the upper half of 64 bits added.
    std::string sum;
    for (uint32_t c = 0; c < count; ++c) {
      const std::string piece = id + "_" + number(c);
      if (count > 1) text += piece + "_x = OpCompositeExtract " + one + " " + last + " " + number(c) + "\n";
      const std::string from = count > 1 ? piece + "_x" : last;
      if (width == 64) {
        text += piece + "_pair = OpBitcast %v2uint " + from + "\n" + piece + "_low = OpCompositeExtract %uint " +
                piece + "_pair 0\n" + piece + "_high = OpCompositeExtract %uint " + piece + "_pair 1\n" + piece +
                "_mixed = OpIMul %uint " + piece + "_high %c17\n" + piece + " = OpIAdd %uint " + piece + "_low " +
                piece + "_mixed\n";
      } else {
        text += piece + " = " + (width == 32 ? "OpCopyObject %uint " : "OpUConvert %uint ") + from + "\n";
      }
      if (c > 0) {
        text += piece + "_times = OpIMul %uint " + sum + " %c31\n" + piece + "_sum = OpIAdd %uint " + piece +
                "_times " + piece + "\n";
        sum = piece + "_sum";
      } else {
        sum = piece;
      }
    }
    text += "put " + sum + "\n";
  }
  return assembly(what + " of " + number(width) + " bits" + (count > 1 ? ", vectors of " + n : ""), text)
      .judged_by([=](const Invocation& i) {
        std::vector<uint32_t> results;
        for (const Operation& operation : operations) {
          uint32_t sum = 0;
          for (uint32_t c = 0; c < count; ++c) {
            const auto operand = [&](uint32_t which) {
              const uint32_t word = first_word(which, c);
              return cut(i.u(word) | uint64_t{i.u(word + 1)} << 32, width);
            };
            Operands o{operand(0), operand(1), width, 0};
            o.shift = uint32_t(o.b & 5);
            if (std::string_view(operation.text).find("%d") != std::string_view::npos) o.b = (o.b & ~uint64_t{2}) | 1;
            if (std::string_view(operation.text).find("%d") != std::string_view::npos) o.b = cut(o.b, width);
            const uint64_t value = cut(operation.value(o), width);
            sum = sum * 31 + uint32_t(value) + (width == 64 ? uint32_t(value >> 32) * 17 : 0);
          }
          results.push_back(sum);
        }
        return results;
      });
}

}  // namespace

CORPUS("integers of every width") {
  std::vector<KernelCase> cases;
  for (const uint32_t width : {8, 16, 32, 64}) {
    for (const uint32_t count : {1, width == 8 ? 4 : width == 16 ? 3 : 2}) {
      cases.push_back(kernel("integer arithmetic", arithmetic, width, count));
      cases.push_back(kernel("bit operations and comparisons", bits, width, count));
      cases.push_back(kernel("extended arithmetic", extended_results, width, count));
      cases.push_back(kernel("OpSMod", modulo_signed, width, count));
      // In lavapipe the remainder has the sign of the dividend.
      cases.back().wrong_on = "llvmpipe";
    }
  }
  return cases;
}

// Only of 32 bits, in Vulkan.
CORPUS("fields of bits") {
  return {assembly("fields of bits in vectors", R"(
      %glsl = OpExtInstImport "GLSL.std.450"
      %a = OpCompositeConstruct %v3uint %u0 %u1 %u2
      %b = OpCompositeConstruct %v3uint %u3 %u4 %u5
      %offset = OpBitwiseAnd %uint %u6 %c15
      %count = OpBitwiseAnd %uint %u7 %c16
      %inserted = OpBitFieldInsert %v3uint %a %b %offset %count
      %unsigned = OpBitFieldUExtract %v3uint %a %offset %count
      %sa = OpBitcast %v3int %a
      %signed = OpBitFieldSExtract %v3int %sa %offset %count
      %reversed = OpBitReverse %v3uint %a
      %counted = OpBitCount %v3uint %a
      %counted_signed = OpBitCount %v3int %a
      %lsb = OpExtInst %v3uint %glsl FindILsb %a
      %smsb = OpExtInst %v3int %glsl FindSMsb %sa
      %umsb = OpExtInst %v3uint %glsl FindUMsb %a
      %i0_ = OpCompositeExtract %uint %inserted 0
      %i2_ = OpCompositeExtract %uint %inserted 2
      %x1 = OpCompositeExtract %uint %unsigned 1
      %x2 = OpCompositeExtract %int %signed 2
      %v0 = OpCompositeExtract %uint %reversed 0
      %n1 = OpCompositeExtract %uint %counted 1
      %n2 = OpCompositeExtract %int %counted_signed 2
      %l0 = OpCompositeExtract %uint %lsb 0
      %m1 = OpCompositeExtract %int %smsb 1
      %m2 = OpCompositeExtract %uint %umsb 2
      put %i0_
      put %i2_
      put %x1
      puti %x2
      put %v0
      put %n1
      puti %n2
      put %l0
      puti %m1
      put %m2)"),
          assembly("whole and empty fields", R"(
      %all_signed = OpBitFieldSExtract %int %s0 %c0 %c32
      %all = OpBitFieldUExtract %uint %u0 %c0 %c32
      %none_signed = OpBitFieldSExtract %int %s1 %c5 %c0
      %none = OpBitFieldUExtract %uint %u1 %c31 %c0
      %nothing_inserted = OpBitFieldInsert %uint %u2 %u3 %c7 %c0
      %all_inserted = OpBitFieldInsert %uint %u2 %u3 %c0 %c32
      %last = OpBitFieldSExtract %int %s4 %c31 %c1
      puti %all_signed
      put %all
      puti %none_signed
      put %none
      put %nothing_inserted
      put %all_inserted
      puti %last)")
              .judged_by([](const Invocation& i) {
                return std::vector<uint32_t>{i.u(0), i.u(0), 0, 0, i.u(2), i.u(3), uint32_t(int32_t(i.u(4)) >> 31)};
              })};
}
