#include <algorithm>

#include "backends/translate/function_emitter.h"

// A function's frame: the values declared at its top, its prototype, and its text.
namespace weft::translate {

FunctionEmitter::FunctionEmitter(ModuleEmitter& parent, const Function& function)
    : parent_(parent), function_(function), structure_(parent.module, function), acts_(parent.acts(function.id)) {
  for_subgroup_ = acts_ && parent.target == Target::lanes;
  find_hoisted();
  structure_.find_divergence([this](Id condition) { return is_uniform(condition); },
                             [this](const Instruction& i) { return parent_.acts(i); });
  if (for_subgroup_) structure_.let_lanes_run_alone();
  find_masks();
  find_effects();
  if (!for_subgroup_) return;
  find_arrays();
  if (is_divergent(function.id)) {
    returned_ = parent.names.unique("returned");
    variable_lines_.push_back(type_name(function.return_type, true) + " " + returned_ + ";");
  }
}

// Values that another block uses are declared at the function's top. The lvalue of a pointer is emitted at its uses, so
// its operands count as used there.
void FunctionEmitter::find_hoisted() {
  for (const Block& block : function_.blocks) {
    for (const Instruction& i : block.code) {
      if (i.result == 0) continue;
      block_of_[i.result] = block.label;
      definitions_[i.result] = &i;
    }
  }
  const auto is_written_out = [](spv::Op op) {
    return op == spv::OpAccessChain || op == spv::OpInBoundsAccessChain || op == spv::OpPtrAccessChain ||
           op == spv::OpInBoundsPtrAccessChain || op == spv::OpCopyObject;
  };
  std::vector<std::pair<Id, Id>> uses;  // a value, and the block that uses it
  std::unordered_set<Id> written_out_elsewhere;
  for (const Block& block : function_.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == spv::OpPhi) {
        hoisted_.insert(i.result);
        hoisted_order_.push_back(i.result);
        for (size_t k = 0; k + 1 < i.args.size(); k += 2) uses.emplace_back(i.args[k], i.args[k + 1]);
      } else {
        for (const uint32_t word : i.args) uses.emplace_back(word, block.label);
      }
    }
  }
  for (const auto& [id, label] : uses) ++use_count_[id];
  while (!uses.empty()) {
    const auto [id, label] = uses.back();
    uses.pop_back();
    const auto found = block_of_.find(id);
    if (found == block_of_.end() || found->second == label) continue;
    const Instruction& definition = *definitions_.at(id);
    if (is_written_out(definition.op)) {
      if (!written_out_elsewhere.insert(id).second) continue;
      for (const uint32_t word : definition.args) uses.emplace_back(word, label);
    }
    hoisted_.insert(id);
  }
  for (const Block& header : function_.blocks) {
    if (header.continue_target == 0) continue;
    for (const Id label : structure_.way_out(header)) {
      for (const Instruction& i : function_.block(label).code) decides_loop_.insert(i.result);
    }
  }
}

// Pointers to variables of lanes point to all of the subgroup's.
std::string FunctionEmitter::parameter_type(const Instruction& parameter) const {
  const Type& type = type_of(parameter.result);
  const bool of_lanes = for_subgroup_ && is_divergent(parameter.result);
  if (type.kind != Kind::pointer || Types::is_byte_addressed(type.storage)) return type_name(type.id, of_lanes);
  return type_name(type.element, of_lanes) + "*";
}

std::string FunctionEmitter::prototype() {
  const bool returns_lanes = for_subgroup_ && is_divergent(function_.id);
  const bool may_disagree = for_subgroup_ && parent_.may_disagree();
  std::string text = "WEFT_FN " + (may_disagree ? "bool" : type_name(function_.return_type, returns_lanes)) + " " +
                     parent_.names.of(function_.id) + "(weft_self& " + (for_subgroup_ ? "group" : "self");
  if (acts_) text += ", weft_mask mask";
  for (const Instruction& parameter : function_.parameters) {
    text += ", " + parameter_type(parameter) + " " + parent_.names.of(parameter.result);
  }
  return text + ")";
}

std::string FunctionEmitter::run() {
  emit_all();
  level_ = Level::group;
  if (region_ != 0) line(for_subgroup_ ? return_text() : "return;");  // after an instruction that is not reachable
  std::string text = prototype() + " {\n";
  if (for_subgroup_) text += "  weft_self& self = group;\n";
  for (const std::string& declaration : variable_lines_) text += "  " + declaration + "\n";
  for (const Id id : hoisted_order_) {
    text += "  " + type_name(parent_.module.type_of.at(id), is_array(id)) + " " + parent_.names.of(id) + ";\n";
  }
  if (uses_exit_ && for_subgroup_)
    text += "  weft_lanes<uint32_t> exit_to = 0u;  // where lanes that leave early are headed: a label, or 0\n";
  else if (uses_exit_)
    text += "  uint32_t exit_to = 0u;  // where lanes that leave early are headed: a label, or 0\n";
  constexpr size_t deepest = 40;  // limits indentation for deep nesting
  size_t depth = 1;
  for (const Line& one : lines_) {
    if (!one.label.empty() && !used_labels_.contains(one.label)) continue;
    if (one.text.starts_with("}") && depth > 1) --depth;
    text += std::string(2 * std::min(depth, deepest), ' ') + one.text + "\n";
    if (one.text.ends_with("{")) ++depth;
  }
  return text + "}\n\n";
}

void FunctionEmitter::line(const std::string& text) {
  if (text.starts_with("@"))
    label(text.substr(1));
  else
    add({text, ""});
}

void FunctionEmitter::line_comment(const Instruction& instruction) {
  if (instruction.line == 0 || instruction.line == last_line_) return;
  last_line_ = instruction.line;
  const auto file = parent_.module.strings.find(instruction.file);
  std::string name = file == parent_.module.strings.end() ? "" : file->second;
  std::erase_if(name, [](char c) { return c == '\n' || c == '\r' || c == '\\'; });
  if (!lines_.empty() && lines_.back().text.starts_with("// ")) lines_.pop_back();  // of a source line without code
  lines_.push_back({"// " + name + ":" + std::to_string(instruction.line), ""});
}

std::string FunctionEmitter::value(Id id) {
  if (put_off_.contains(id)) return fetch(id);
  if (parent_.constants.find(id)) return parent_.constant(id);
  if (const auto lvalue = lvalues_.find(id); lvalue != lvalues_.end()) return pointer_value(lvalue->second);
  if (block_of_.contains(id) || parent_.module.type_of_value(id).kind != Kind::pointer) return element_of(id);
  const auto is_it = [&](const Instruction& parameter) { return parameter.result == id; };
  if (std::ranges::any_of(function_.parameters, is_it)) return element_of(id);
  Instruction user;
  user.op = spv::OpVariable;
  user.result = id;
  return pointer_value(parent_.variable(id, user));
}

// A variable that other blocks use is declared at the top, others where they get their value.
void FunctionEmitter::define(const Instruction& instruction, const std::string& expression) {
  if (!wanted_.empty() && wanted_.back() == instruction.result) {
    fetched_ = expression;
    return;
  }
  const Level before = level_;
  if (for_subgroup_) level_ = level_of(instruction);
  declare(instruction, expression);
  level_ = before;
}

void FunctionEmitter::declare(const Instruction& instruction, const std::string& expression) {
  if (!use_count_.contains(instruction.result)) {
    if (expression.find('(') != std::string::npos) line(expression + ";");  // a call may have effects
    return;
  }
  const std::string& name = parent_.names.of(instruction.result);
  // The same for the condition of a loop: clang unrolls a loop only if no variable's scope ends at its exit.
  if (!hoisted_.contains(instruction.result) && !decides_loop_.contains(instruction.result)) {
    const std::string& type = parent_.types.name(instruction.type);
    const bool is_pointer = type.ends_with("*");
    line((is_pointer ? type + " const " : "const " + type + " ") + name + " = " + expression + ";");
    return;
  }
  hoisted_order_.push_back(instruction.result);
  // Lanes that wait elsewhere keep what they have.
  const bool is_partial =
      for_subgroup_ && level_ == Level::group && is_array(instruction.result) && innermost_masked_[inside_] >= 0;
  line(is_partial ? "weft_assign(" + name + ", mask, " + expression + ");"
                  : element_of(instruction.result) + " = " + expression + ";");
}

const Type& FunctionEmitter::scalar_of(const Type& type) const {
  const Type* t = &type;
  while (t->kind == Kind::vector || t->kind == Kind::matrix) t = &parent_.module.type(t->element);
  return *t;
}

// The values of arguments as ", a, b".
std::string FunctionEmitter::arguments(const Instruction& instruction, size_t first, size_t count) {
  std::string text;
  for (size_t k = first; k < instruction.args.size() && k - first < count; ++k)
    text += ", " + without_parentheses(value(instruction.args[k]));
  return text;
}

}  // namespace weft::translate
