#include "backends/translate/rules.h"

namespace weft::translate {

void ExpressionEmitter::convert(const Instruction& i, const Rule& rule) {
  const auto rounding = parent_.module.decoration(i.result, spv::DecorationFPRoundingMode);
  if (rounding && *rounding != spv::FPRoundingModeRTE) {
    if (*rounding != spv::FPRoundingModeRTZ || scalar_of(type_of(i.result)).width != 16) {
      parent_.refuse(i, "with this rounding mode is not supported");
    }
    define(i, "weft_to_half_toward_zero(" + value(i.arg(0)) + ")");
    return;
  }
  define(i, std::string(rule.text) + "<" + parent_.types.name(scalar_of(type_of(i.result)).id) + ">(" +
                bare_value(i.arg(0)) + ")");
}

void ExpressionEmitter::bitcast(const Instruction& i, const Rule& rule) {
  const Type &to = type_of(i.result), &from = type_of(i.arg(0));
  const bool both_pointers = to.kind == Kind::pointer && from.kind == Kind::pointer;
  if (both_pointers) {
    if (to.element != from.element && parent_.module.type(to.element).kind == Kind::matrix) {
      parent_.refuse(i, "to a pointer to a matrix is not supported");
    }
    copy_object(i, rule);
  } else if (to.kind == Kind::pointer) {
    define(i, "weft_to_pointer(weft_bitcast<uint64_t>(" + value(i.arg(0)) + "))");
  } else if (from.kind == Kind::pointer) {
    check_escape(i.arg(0), i);
    define(i, "weft_bitcast<" + parent_.types.name(i.type) + ">(weft_from_pointer(" + value(i.arg(0)) + "))");
  } else if (parent_.types.name(to.id) == parent_.types.name(from.id)) {  // signed and unsigned share one type here
    define(i, value(i.arg(0)));
  } else {
    define(i, "weft_bitcast<" + type_of_result(i) + ">(" + value(i.arg(0)) + ")");
  }
}

void ExpressionEmitter::pointer_to_integer(const Instruction& i, const Rule&) {
  check_escape(i.arg(0), i);
  define(i, parent_.types.name(i.type) + "(weft_from_pointer(" + value(i.arg(0)) + "))");
}

void ExpressionEmitter::integer_to_pointer(const Instruction& i, const Rule&) {
  define(i, "weft_to_pointer(" + value(i.arg(0)) + ")");
}

}  // namespace weft::translate
