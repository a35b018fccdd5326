#include "backends/translate/rules.h"

// Calls of the module's own functions.
namespace weft::translate {

void ExpressionEmitter::function_call(const Instruction& i, const Rule&) {
  const bool acts = parent_.acts(i.arg(0));
  const std::string call = parent_.names.of(i.arg(0)) + "(self" + (acts ? ", mask" : "") +
                           (acts && facts_.runs_once ? arguments_for_lanes(i) : arguments_of_call(i)) + ")";
  if (type_of(i.result).kind == Kind::void_type)
    line(call + ";");
  else
    define(i, call);
}

std::string ExpressionEmitter::arguments_of_call(const Instruction& call) {
  std::string text;
  for (size_t k = 1; k < call.args.size(); ++k) {
    const Type& type = type_of(call.args[k]);
    const bool is_pointer = type.kind == Kind::pointer && !Types::is_byte_addressed(type.storage);
    text += ", " + (is_pointer ? pointer_value(lvalue_of(call.args[k], call)) : bare_value(call.args[k]));
  }
  return text;
}

// The arguments of a function that runs once for the subgroup: arrays as a whole, and pointers to whole variables.
std::string ExpressionEmitter::arguments_for_lanes(const Instruction& call) {
  std::string text;
  for (size_t k = 1; k < call.args.size(); ++k) {
    const Type& type = type_of(call.args[k]);
    if (type.kind != Kind::pointer || Types::is_byte_addressed(type.storage)) {
      const Function& callee = parent_.module.function(call.arg(0));
      text += ", " + operand(call.args[k], callee.parameters[k - 1].result);
      continue;
    }
    Lvalue lvalue = lvalue_of(call.args[k], call);
    if (lvalue.text.ends_with("[lane]")) lvalue.text.resize(lvalue.text.size() - 6);
    const bool is_whole = parent_.in_vectors() || lvalue.text.find_first_of(".[") == std::string::npos;
    if (!is_whole) {
      parent_.refuse(call,
                     "passes a pointer to a part of a variable to a function with subgroup operations or "
                     "barriers, which is not supported where a subgroup is one flow of control");
    }
    text += ", " + pointer_value(lvalue);
  }
  return text;
}

}  // namespace weft::translate
