#include <utility>

#include "backends/translate/rules.h"

// Values: their names, their text where they are used, and statements that define them.
namespace weft::translate {

ExpressionEmitter::ExpressionEmitter(ModuleEmitter& parent, const FunctionFacts& facts, Body& body)
    : parent_(parent), facts_(facts), body_(body), hoisted_(facts.values.phis()) {}

std::string ExpressionEmitter::declarations() const {
  std::string text;
  for (const Id id : hoisted_) {
    text +=
        "  " + type_name(parent_.module.type_of.at(id), facts_.lanes.is_array(id)) + " " + parent_.names.of(id) + ";\n";
  }
  return text;
}

std::string ExpressionEmitter::type_name(Id type, bool of_lanes) const {
  if (of_lanes && parent_.in_vectors()) return parent_.types.wide_name(type);
  const std::string& name = parent_.types.name(type);
  return of_lanes ? "weft_lanes<" + name + ">" : name;
}

std::string ExpressionEmitter::type_of_result(const Instruction& i) const {
  return type_name(i.type, parent_.in_vectors() && facts_.lanes.is_per_lane(i.result));
}

std::string ExpressionEmitter::spread_value(Id id) {
  const bool was = std::exchange(spreads_, true);
  std::string text = value(id);
  spreads_ = was;
  return text;
}

// A value where lanes have values of their own if `user` has them.
std::string ExpressionEmitter::operand(Id id, Id user) {
  const bool was = std::exchange(spreads_, parent_.in_vectors() && facts_.lanes.is_per_lane(user));
  std::string text = bare_value(id);
  spreads_ = was;
  return text;
}

// The statement that sets a variable or a part of it. Lanes that wait elsewhere keep what they have, and so do all but
// the active ones if the variable is not this function's.
std::string ExpressionEmitter::assignment(const std::string& target, const std::string& text, Id variable) const {
  const bool is_partial = parent_.in_vectors() && facts_.lanes.is_per_lane(variable) &&
                          (facts_.masks.innermost(inside_) >= 0 || !facts_.values.definition(variable));
  return is_partial ? "weft_assign(" + target + ", mask, " + text + ");" : target + " = " + text + ";";
}

void ExpressionEmitter::line_comment(const Instruction& instruction) {
  if (instruction.line == 0 || instruction.line == last_line_) return;
  last_line_ = instruction.line;
  const auto file = parent_.module.strings.find(instruction.file);
  std::string name = file == parent_.module.strings.end() ? "" : file->second;
  std::erase_if(name, [](char c) { return c == '\n' || c == '\r' || c == '\\'; });
  body_.comment(name + ":" + std::to_string(instruction.line));
}

std::string ExpressionEmitter::value(Id id) {
  const bool is_spread = spreads_ && !facts_.lanes.is_per_lane(id);
  if (!is_spread) return plain_value(id);
  spreads_ = false;
  const std::string text = "weft_spread(" + without_parentheses(plain_value(id)) + ")";
  spreads_ = true;
  return text;
}

std::string ExpressionEmitter::plain_value(Id id) {
  if (put_off_.contains(id)) return fetch(id);
  if (parent_.constants.find(id)) return parent_.constant(id);
  if (const auto lvalue = lvalues_.find(id); lvalue != lvalues_.end()) return pointer_value(lvalue->second);
  const FunctionValues& values = facts_.values;
  const bool is_own = values.definition(id) || values.is_parameter(id);
  if (is_own || type_of(id).kind != Kind::pointer) return element_of(id);
  Instruction user;
  user.op = spv::OpVariable;
  user.result = id;
  return pointer_value(parent_.variable(id, user));
}

// Active lanes agree on a uniform value.
std::string ExpressionEmitter::element_of(Id id) const {
  const std::string& name = parent_.names.of(id);
  if (!facts_.lanes.is_array(id) || parent_.in_vectors()) return name;
  if (body_.level == Level::lanes) return name + "[lane]";
  return facts_.lanes.is_per_lane(id) ? name : name + "[weft_first_lane(mask)]";
}

// A variable that other blocks use is declared at the top, others where they get their value.
void ExpressionEmitter::define(const Instruction& instruction, const std::string& expression) {
  if (!wanted_.empty() && wanted_.back() == instruction.result) {
    fetched_ = expression;
    return;
  }
  const Level before = body_.level;
  body_.level = level_of(instruction);
  declare(instruction, expression);
  body_.level = before;
}

void ExpressionEmitter::declare(const Instruction& instruction, const std::string& expression) {
  const Id id = instruction.result;
  const FunctionValues& values = facts_.values;
  if (values.uses(id) == 0) {
    if (expression.find('(') != std::string::npos) line(expression + ";");  // a call may have effects
    return;
  }
  const std::string& name = parent_.names.of(id);
  // The same for the condition of a loop: clang unrolls a loop only if no variable's scope ends at its exit.
  if (!is_hoisted(id) && !values.decides_loop(id)) {
    const std::string type = type_of_result(instruction);
    const bool is_pointer = type.ends_with("*");
    line((is_pointer ? type + " const " : "const " + type + " ") + name + " = " + expression + ";");
    return;
  }
  hoisted_.push_back(id);
  // Lanes that wait elsewhere keep what they have.
  const bool is_partial =
      facts_.lanes.is_array(id) && body_.level == Level::group && facts_.masks.innermost(inside_) >= 0;
  line(is_partial ? "weft_assign(" + name + ", mask, " + expression + ");" : element_of(id) + " = " + expression + ";");
}

// The elements of lanes outlive a loop over lanes.
bool ExpressionEmitter::is_hoisted(Id id) const {
  return facts_.values.is_hoisted(id) || (facts_.lanes.is_array(id) && !parent_.in_vectors());
}

const Type& ExpressionEmitter::scalar_of(const Type& type) const {
  const Type* t = &type;
  while (t->kind == Kind::vector || t->kind == Kind::matrix) t = &parent_.module.type(t->element);
  return *t;
}

// The values of arguments as ", a, b".
std::string ExpressionEmitter::arguments(const Instruction& instruction, size_t first) {
  std::string text;
  for (size_t k = first; k < instruction.args.size(); ++k) text += ", " + bare_value(instruction.args[k]);
  return text;
}

}  // namespace weft::translate
