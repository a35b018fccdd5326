#include "backends/translate/rules.h"

namespace weft::translate {
namespace {

// Scalars that C++ does not promote in arithmetic.
bool is_plain(const Type& type) {
  if (type.kind == Kind::floating || type.kind == Kind::boolean) return true;
  return type.kind == Kind::integer && type.width >= 32;
}

}  // namespace

void ExpressionEmitter::unary(const Instruction& i, const Rule& rule) {
  const std::string a = value(i.arg(0));
  define(i, is_plain(type_of(i.arg(0))) ? rule.symbol + a : std::string(rule.text) + "(" + a + ")");
}

void ExpressionEmitter::binary(const Instruction& i, const Rule& rule) {
  const std::string a = value(i.arg(0)), b = value(i.arg(1));
  const Type& type = type_of(i.arg(0));
  const bool precise = scalar_of(type).kind == Kind::floating && type_of(i.result).kind != Kind::boolean &&
                       parent_.module.has(i.result, spv::DecorationNoContraction);
  if (precise) {
    define(i, "weft_precise_" + std::string(rule.text).substr(5) + "(" + a + ", " + b + ")");
  } else if (is_plain(type)) {
    // On bools, & and | return an int.
    const bool connects = type.kind == Kind::boolean && (rule.symbol[0] == '&' || rule.symbol[0] == '|');
    define(i, a + " " + rule.symbol + (connects ? rule.symbol : "") + " " + b);
  } else {
    define(i, std::string(rule.text) + "(" + a + ", " + b + ")");
  }
}

// Uses the C++ operator if the divisor is known not to be zero.
void ExpressionEmitter::division(const Instruction& i, const Rule& rule) {
  const Constant* divisor = parent_.constants.find(i.arg(1));
  const bool known = divisor && divisor->parts.empty() && divisor->bits != 0;
  if (known && is_plain(type_of(i.arg(0))))
    binary(i, rule);
  else
    call(i, rule);
}

// Uses the C++ operator if the shift is known to be less than the width.
void ExpressionEmitter::shift(const Instruction& i, const Rule& rule) {
  const Constant* by = parent_.constants.find(i.arg(1));
  const Type& type = type_of(i.arg(0));
  const bool known = by && by->parts.empty() && by->bits < type.width;
  if (known && is_plain(type))
    define(i, value(i.arg(0)) + " " + rule.symbol + " " + value(i.arg(1)));
  else
    call(i, rule);
}

// Products of vectors and matrices.
void ExpressionEmitter::product(const Instruction& i, const Rule& rule) {
  const bool precise = parent_.module.has(i.result, spv::DecorationNoContraction);
  const std::string name = std::string(precise ? "weft_precise_" : "weft_") + std::string(rule.text).substr(5);
  define(i, name + "(" + arguments(i, 0).substr(2) + ")");
}

void ExpressionEmitter::call(const Instruction& i, const Rule& rule) {
  define(i, std::string(rule.text) + "(" + arguments(i, 0).substr(2) + ")");
}

void ExpressionEmitter::typed_call(const Instruction& i, const Rule& rule) {
  define(i, std::string(rule.text) + "<" + parent_.types.name(scalar_of(type_of(i.result)).id) + ">(" +
                arguments(i, 0).substr(2) + ")");
}

// The result is a struct of two members: low and high, or sum and carry.
void ExpressionEmitter::extended_arithmetic(const Instruction& i, const Rule& rule) {
  define(i, std::string(rule.text) + "<" + parent_.types.name(i.type) + ">(" + arguments(i, 0).substr(2) + ")");
}

void ExpressionEmitter::integer_dot(const Instruction& i, const Rule& rule) {
  const bool saturated = std::string_view(rule.text).find("saturated") != std::string_view::npos;
  const size_t operands = saturated ? 3 : 2;
  const auto operand = [&](size_t k) {
    const std::string text = value(i.arg(k));
    // A packed operand is four bytes in one word.
    return k < 2 && type_of(i.arg(k)).kind == Kind::integer ? "weft_four_bytes(" + text + ")" : text;
  };
  std::string text = rule.text + parent_.types.name(i.type) + ">(" + operand(0) + ", " + operand(1);
  if (operands == 3) text += ", " + operand(2);
  define(i, text + ")");
}

}  // namespace weft::translate
