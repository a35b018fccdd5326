#include <algorithm>

#include "backends/translate/rules.h"

// A value that is used once, in its own block, is emitted at its use, so that one statement of the source is one
// statement again. Reads of memory do not move past anything that may write it, or wait for others that do.
namespace weft::translate {
namespace {

using F = ExpressionEmitter;

constexpr uint32_t deepest = 6;  // levels of nesting in one expression
constexpr size_t widest = 100;   // characters of an expression within another

// Instructions that become one expression with each operand once.
bool is_expression(const Rule& rule) {
  static constexpr RuleFunction those[] = {
      &F::unary,      &F::binary,  &F::division,          &F::shift,  &F::call,        &F::product,
      &F::typed_call, &F::convert, &F::composite_extract, &F::select, &F::copy_logical};
  return std::ranges::find(those, rule.emit) != std::end(those);
}

// Instructions with effects, with each operand once in their text.
bool takes_expressions(const Rule& rule) {
  static constexpr RuleFunction those[] = {&F::store,           &F::atomic,        &F::atomic_load,
                                           &F::atomic_store,    &F::subgroup_call, &F::subgroup_arithmetic,
                                           &F::subgroup_rotate, &F::function_call, &F::atomic_compare_exchange};
  return std::ranges::find(those, rule.emit) != std::end(those);
}

// Instructions that become one expression with a vector operand repeated.
bool repeats_vectors(const Rule& rule) {
  return rule.emit == &F::composite_construct || rule.emit == &F::vector_shuffle;
}

bool is_chain(const Rule& rule) { return rule.emit == &F::access_chain; }

// The end of the parentheses, brackets, braces or template arguments that open at `at`.
size_t closing(const std::string& text, size_t at) {
  size_t depth = 0;
  for (size_t k = at; k < text.size(); ++k) {
    const char c = text[k];
    // "a < b" and "a << b", but not "vec<vec<T>>".
    const bool is_operator = (k > 0 && text[k - 1] == ' ') || (k > 1 && text[k - 1] == c && text[k - 2] == ' ');
    if (c == '(' || c == '[' || c == '{' || (c == '<' && !is_operator)) ++depth;
    if (c == ')' || c == ']' || c == '}' || (c == '>' && !is_operator)) --depth;
    if (depth == 0) return k;
  }
  return text.size();
}

// Names, calls and the like, which need no parentheses.
bool is_primary(const std::string& text) {
  if (text.empty() || std::string_view("-!~&*").find(text[0]) != std::string_view::npos) return false;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == ' ') return false;
    if (std::string_view("([{<").find(text[k]) != std::string_view::npos) k = closing(text, k);
  }
  return true;
}

}  // namespace

void ExpressionEmitter::emit(const Block& block) {
  put_off_.clear();
  put_off_order_.clear();
  inside_ = facts_.structure.construct_of.at(block.label);
  for (const Instruction& instruction : block.code) {
    if (instruction.op == spv::OpPhi || &instruction == &block.code.back()) continue;
    const Rule* rule = find_rule(instruction.op);
    if (!rule) parent_.refuse(instruction);
    if (put_off(instruction)) continue;
    settle_before(instruction);
    line_comment(instruction);
    body_.level = level_of(instruction);
    run_rule(instruction);
  }
  body_.level = facts_.lanes.level_in(inside_);
  const Instruction& last = block.terminator();
  const bool takes_one = last.op == spv::OpBranchConditional || last.op == spv::OpReturnValue;
  settle_all_but(takes_one ? std::vector<Id>{last.arg(0)} : std::vector<Id>{}, false);
}

std::string ExpressionEmitter::without_parentheses(const std::string& text) {
  const bool enclosed = text.starts_with('(') && closing(text, 0) + 1 == text.size();
  return enclosed ? text.substr(1, text.size() - 2) : text;
}

// Memory that others may write at any time is read exactly where the source reads it.
bool ExpressionEmitter::reads_quietly(const Instruction& load) const {
  if (load.args.size() > 1 &&
      (load.args[1] & ~uint32_t{spv::MemoryAccessAlignedMask | spv::MemoryAccessNontemporalMask |
                                spv::MemoryAccessNonPrivatePointerMask})) {
    return false;
  }
  const spv::StorageClass storage = type_of(load.arg(0)).storage;
  const bool is_private = storage == spv::StorageClassFunction || storage == spv::StorageClassPrivate ||
                          storage == spv::StorageClassInput || storage == spv::StorageClassPushConstant;
  return is_private || !parent_.has_volatile_memory;
}

// Whether C++ code that reads or writes a value of this type contains its address once.
bool ExpressionEmitter::lies_in_one_piece(const Type& type) const {
  return type.kind != Kind::matrix && !(type.kind == Kind::vector && parent_.has_row_major_memory);
}

const Rule* ExpressionEmitter::rule_of(const Instruction& i) const {
  const Rule* rule = find_rule(i.op);
  if (!rule) return nullptr;
  const bool is_glsl = i.op == spv::OpExtInst && parent_.module.instruction_sets.at(i.arg(0)) == "GLSL.std.450";
  const Rule* const inner = is_glsl ? find_glsl_rule(i.arg(1)) : nullptr;
  return inner ? inner : rule;
}

// Defers an instruction until its value is used. Returns false if it must be emitted now.
bool ExpressionEmitter::put_off(const Instruction& i) {
  const Rule* rule = rule_of(i);
  if (!rule || i.result == 0 || is_hoisted(i.result)) return false;
  const bool is_load = rule->emit == &F::load;
  const bool is_one =
      is_expression(*rule) || repeats_vectors(*rule) || is_chain(*rule) || (is_load && reads_quietly(i));
  if (!is_one) return false;
  if (!is_chain(*rule) && facts_.lanes.stays_apart(i, inside_)) return false;
  const uint32_t uses = facts_.values.uses(i.result);
  if (uses == 0) return !is_chain(*rule);
  if (uses != 1) return false;
  if (is_load && !lies_in_one_piece(type_of(i.result))) settle_operands(i);
  if (repeats_vectors(*rule)) settle_vectors(i);
  PutOff one{&i, is_load, 1};
  for (const Id operand : i.args) {
    const auto found = put_off_.find(operand);
    if (found == put_off_.end()) continue;
    one.reads_memory = one.reads_memory || found->second.reads_memory;
    one.depth = std::max(one.depth, found->second.depth + 1);
  }
  if (one.depth > deepest) {
    settle_operands(i);
    one.depth = 1;
    one.reads_memory = is_load;
  }
  put_off_[i.result] = one;
  put_off_order_.push_back(i.result);
  return true;
}

// With values of lanes in vectors: of an instruction with such a result, all operands are such vectors.
void ExpressionEmitter::run_rule(const Instruction& i) {
  static constexpr RuleFunction others[] = {&F::load,        &F::store,          &F::access_chain, &F::function_call,
                                            &F::copy_object, &F::local_variable, &F::array_length};
  const Rule* rule = find_rule(i.op);
  const bool was = spreads_;
  spreads_ = parent_.in_vectors() && facts_.lanes.is_per_lane(i.result) &&
             std::ranges::find(others, rule->emit) == std::end(others);
  (this->*rule->emit)(i, *rule);
  spreads_ = was;
}

// The text of a deferred value that is needed now.
std::string ExpressionEmitter::fetch(Id id) {
  const Instruction& i = *put_off_.at(id).instruction;
  put_off_.erase(id);
  if (is_chain(*find_rule(i.op))) {
    run_rule(i);
    return pointer_value(lvalues_.at(id));
  }
  wanted_.push_back(id);
  run_rule(i);
  wanted_.pop_back();
  const std::string text = std::move(fetched_);
  if (text.size() > widest) {
    define(i, text);
    return parent_.names.of(id);
  }
  return is_primary(text) ? text : "(" + text + ")";
}

void ExpressionEmitter::settle(Id id) {
  const auto found = put_off_.find(id);
  if (found == put_off_.end()) return;
  const Instruction& i = *found->second.instruction;
  put_off_.erase(found);
  const Rule* rule = find_rule(i.op);
  if (is_chain(*rule)) settle_operands(i);  // its text may be repeated
  line_comment(i);
  const Level before = body_.level;
  body_.level = level_of(i);
  run_rule(i);
  body_.level = before;
}

void ExpressionEmitter::settle_operands(const Instruction& i) {
  for (const Id operand : i.args) settle(operand);
}

void ExpressionEmitter::settle_vectors(const Instruction& i) {
  for (const Id operand : i.args) {
    if (put_off_.contains(operand) && type_of(operand).kind == Kind::vector) settle(operand);
  }
}

// Before `i` is emitted: settles operands that it cannot take as expressions, and reads that it must not overtake.
void ExpressionEmitter::settle_before(const Instruction& i) {
  const Rule* rule = rule_of(i);
  const bool is_load = rule && rule->emit == &F::load, is_store = rule && rule->emit == &F::store;
  const bool pure = rule && (is_expression(*rule) || repeats_vectors(*rule) || is_chain(*rule) || is_load);
  bool takes = rule && (is_expression(*rule) || repeats_vectors(*rule) || takes_expressions(*rule));
  if (is_load) takes = lies_in_one_piece(type_of(i.result));
  if (is_store) takes = lies_in_one_piece(type_of(i.arg(1)));
  if (!takes) settle_operands(i);
  if (takes && repeats_vectors(*rule)) settle_vectors(i);
  if (!pure || (is_load && !reads_quietly(i))) settle_all_but(i.args, true);
}

// Settles deferred values, in order, except those that the values `kept` consist of.
void ExpressionEmitter::settle_all_but(const std::vector<Id>& kept, bool reads_only) {
  if (put_off_.empty()) return;
  std::unordered_set<Id> stays;
  std::vector<Id> open = kept;
  while (!open.empty()) {
    const auto found = put_off_.find(open.back());
    open.pop_back();
    if (found == put_off_.end() || !stays.insert(found->first).second) continue;
    open.insert(open.end(), found->second.instruction->args.begin(), found->second.instruction->args.end());
  }
  for (const Id id : put_off_order_) {
    const auto found = put_off_.find(id);
    if (found != put_off_.end() && !stays.contains(id) && (found->second.reads_memory || !reads_only)) settle(id);
  }
  std::erase_if(put_off_order_, [this](Id id) { return !put_off_.contains(id); });
}

}  // namespace weft::translate
