#include <algorithm>

#include "tests/support/test.h"
#include "tests/translate/corpus.h"
#include "tests/translate/text.h"

// Dot products of integers, compared with C++.

using namespace weft;
using namespace weft::test;

namespace {

// The instruction's name gives the sign of each operand: SDot, UDot, SUDot.
int64_t dot(const std::string& op, const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, uint32_t width) {
  int64_t sum = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    const int64_t x = op[0] == 'S' ? extended(a[k], width) : int64_t(a[k]);
    const int64_t y = op[0] == 'S' && op[1] != 'U' ? extended(b[k], width) : int64_t(b[k]);
    sum += x * y;
  }
  return sum;
}

uint32_t saturated(int64_t sum, bool is_signed) {
  return is_signed ? uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX))
                   : uint32_t(std::min<int64_t>(sum, UINT32_MAX));
}

KernelCase packed_dots() {
  std::string text =
      "OpCapability DotProductKHR\nOpCapability DotProductInput4x8BitPackedKHR\nOpExtension "
      "\"SPV_KHR_integer_dot_product\"\n";
  for (const std::string op : {"S", "U", "SU"}) {
    const std::string type = op == "U" ? "%uint" : "%int", put = op == "U" ? "put" : "puti";
    text +=
        "%" + op + " = Op" + op + "DotKHR " + type + " %u0 %u1 PackedVectorFormat4x8BitKHR\n" + put + " %" + op + "\n";
    text += "%" + op + "_sum = Op" + op + "DotAccSatKHR " + type + " %u0 %u1 " + (op == "U" ? "%u2" : "%s2") +
            " PackedVectorFormat4x8BitKHR\n" + put + " %" + op + "_sum\n";
  }
  return assembly("dot products of packed bytes", text).judged_by([](const Invocation& i) {
    std::vector<uint64_t> a, b;
    for (int k = 0; k < 4; ++k) a.push_back(i.u(0) >> 8 * k & 255), b.push_back(i.u(1) >> 8 * k & 255);
    std::vector<uint32_t> results;
    for (const char* op : {"SD", "UD", "SU"}) {
      const int64_t sum = dot(op, a, b, 8);
      const bool is_signed = op[0] == 'S';
      results.push_back(uint32_t(sum));
      results.push_back(saturated(sum + (is_signed ? int64_t(int32_t(i.u(2))) : int64_t(i.u(2))), is_signed));
    }
    return results;
  });
}

// Vectors of `count` integers of `width` bits, with a result of 32 bits.
KernelCase vector_dots(uint32_t width, uint32_t count) {
  const std::string w = number(width), one = width == 32 ? "%uint" : "%uint" + w,
                    type = "%v" + number(count) + one.substr(1);
  std::string text = "OpCapability DotProductKHR\nOpExtension \"SPV_KHR_integer_dot_product\"\n";
  text += width == 8 && count == 4 ? "OpCapability DotProductInput4x8BitKHR\n" : "OpCapability DotProductInputAllKHR\n";
  if (width != 32)
    text += "OpCapability Int" + w + "\n" + one + " = OpTypeInt " + w + " 0\n" + type + " = OpTypeVector " + one + " " +
            number(count) + "\n";
  for (const uint32_t operand : {0, 1}) {
    std::string parts;
    for (uint32_t k = 0; k < count; ++k) {
      const std::string id = "%x" + number(operand) + number(k);
      text +=
          id + " = " + (width == 32 ? "OpCopyObject " : "OpUConvert ") + one + " %u" + number(2 * k + operand) + "\n";
      parts += " " + id;
    }
    text += (operand ? "%b" : "%a") + std::string(" = OpCompositeConstruct ") + type + parts + "\n";
  }
  const bool saturates = width < 16;  // wider products overflow before the sum that saturates
  for (const std::string op : {"S", "U", "SU"}) {
    const std::string result = op == "U" ? "%uint" : "%int", put = op == "U" ? "put" : "puti";
    text += "%" + op + " = Op" + op + "DotKHR " + result + " %a %b\n" + put + " %" + op + "\n";
    if (!saturates) continue;
    text += "%" + op + "_sum = Op" + op + "DotAccSatKHR " + result + " %a %b " + (op == "U" ? "%u9" : "%s9") + "\n" +
            put + " %" + op + "_sum\n";
  }
  return assembly("dot products of " + number(count) + " integers of " + w + " bits", text)
      .judged_by([=](const Invocation& i) {
        std::vector<uint64_t> a, b;
        for (uint32_t k = 0; k < count; ++k)
          a.push_back(cut(i.u(2 * k), width)), b.push_back(cut(i.u(2 * k + 1), width));
        std::vector<uint32_t> results;
        for (const char* op : {"SD", "UD", "SU"}) {
          int64_t sum = 0;
          const bool is_signed = op[0] == 'S';
          if (width == 32) {
            for (uint32_t k = 0; k < count; ++k) sum = int64_t(uint64_t(sum) + a[k] * b[k]);
          } else {
            sum = dot(op, a, b, width);
          }
          results.push_back(uint32_t(sum));
          if (saturates)
            results.push_back(saturated(sum + (is_signed ? int64_t(int32_t(i.u(9))) : int64_t(i.u(9))), is_signed));
        }
        return results;
      });
}

}  // namespace

CORPUS("integer dot products") {
  return {packed_dots(),      vector_dots(8, 4),  vector_dots(8, 2), vector_dots(8, 3),
          vector_dots(16, 2), vector_dots(16, 4), vector_dots(32, 3)};
}
