#include "backends/translate/rules.h"

namespace weft::translate {
namespace {

// Selects part `index` of a value of `type`, and sets `type` to that of the part.
std::string part(const Module& module, const Types& types, const Type*& type, uint32_t index) {
  const Type& whole = *type;
  if (whole.kind == Kind::structure) {
    type = &module.type(whole.members.at(index));
    return "." + types.member_name(whole.id, index);
  }
  type = &module.type(whole.element);
  return "[" + std::to_string(index) + "]";
}

}  // namespace

void ExpressionEmitter::composite_construct(const Instruction& i, const Rule&) {
  const Type& type = type_of(i.result);
  std::string parts;
  for (const Id id : i.args) {
    const Type& operand = type_of(id);
    // A vector may be built from smaller ones.
    if (type.kind == Kind::vector && operand.kind == Kind::vector) {
      for (uint32_t k = 0; k < operand.count; ++k) parts += ", " + value(id) + "[" + std::to_string(k) + "]";
    } else {
      parts += ", " + value(id);
    }
  }
  if (!parts.empty()) parts.erase(0, 2);
  const std::string braces = type.kind == Kind::structure ? "{" + parts + "}" : "{{" + parts + "}}";
  define(i, type_of_result(i) + braces);
}

void ExpressionEmitter::composite_extract(const Instruction& i, const Rule&) {
  std::string text = value(i.arg(0));
  const Type* type = &type_of(i.arg(0));
  for (size_t k = 1; k < i.args.size(); ++k) text += part(parent_.module, parent_.types, type, i.args[k]);
  define(i, text);
}

void ExpressionEmitter::composite_insert(const Instruction& i, const Rule&) {
  const std::string whole = parent_.names.unique("with_" + std::to_string(i.result));
  body_.declare(type_of_result(i), whole);
  line(whole + " = " + value(i.arg(1)) + ";");
  std::string target = whole;
  const Type* type = &type_of(i.result);
  for (size_t k = 2; k < i.args.size(); ++k) target += part(parent_.module, parent_.types, type, i.args[k]);
  line(target + " = " + value(i.arg(0)) + ";");
  define(i, whole);
}

void ExpressionEmitter::vector_shuffle(const Instruction& i, const Rule&) {
  const uint32_t first = type_of(i.arg(0)).count;
  std::string parts;
  for (size_t k = 2; k < i.args.size(); ++k) {
    const uint32_t c = i.args[k];
    const bool from_first = c < first || c == ~0u;  // ~0 leaves the component undefined
    const uint32_t index = c == ~0u ? 0 : from_first ? c : c - first;
    parts += (parts.empty() ? "" : ", ") + value(i.arg(from_first ? 0 : 1)) + "[" + std::to_string(index) + "]";
  }
  define(i, type_of_result(i) + "{{" + parts + "}}");
}

void ExpressionEmitter::vector_extract_dynamic(const Instruction& i, const Rule&) {
  define(i, "weft_extract(" + value(i.arg(0)) + ", " + value(i.arg(1)) + ")");
}

void ExpressionEmitter::vector_insert_dynamic(const Instruction& i, const Rule&) {
  define(i, "weft_insert(" + value(i.arg(0)) + ", " + value(i.arg(1)) + ", " + value(i.arg(2)) + ")");
}

void ExpressionEmitter::copy_object(const Instruction& i, const Rule&) {
  if (const auto lvalue = lvalues_.find(i.arg(0)); lvalue != lvalues_.end()) {
    Lvalue copy = lvalue->second;
    if (type_of(i.result).kind == Kind::pointer) copy.type = type_of(i.result).element;
    lvalues_[i.result] = copy;
  } else {
    define(i, value(i.arg(0)));
  }
}

// Types that differ only in their decorations: the same members under different names.
void ExpressionEmitter::copy_logical(const Instruction& i, const Rule&) {
  const std::string& to = parent_.types.name(i.type);
  if (to == parent_.types.name(parent_.module.type_of.at(i.arg(0)))) {
    define(i, value(i.arg(0)));
  } else {
    define(i, "weft_copy_logical<" + to + ">(" + value(i.arg(0)) + ")");
  }
}

void ExpressionEmitter::undefined(const Instruction& i, const Rule&) { define(i, type_of_result(i) + "{}"); }

void ExpressionEmitter::select(const Instruction& i, const Rule&) {
  const std::string condition = value(i.arg(0)), a = value(i.arg(1)), b = value(i.arg(2));
  if (type_of(i.arg(0)).kind == Kind::boolean && !spreads_)
    define(i, condition + " ? " + a + " : " + b);
  else
    define(i, "weft_select(" + condition + ", " + a + ", " + b + ")");
}

}  // namespace weft::translate
