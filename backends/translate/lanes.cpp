#include <algorithm>
#include <cctype>
#include <map>

#include "backends/translate/rules.h"

// A function that runs once for a subgroup. Statements of single lanes are in loops over the active lanes. A value that
// another such loop uses is an array with an element for each lane; uniform values are scalars. lanes_flow.cpp has the
// branches at which lanes part, lanes_arrays.cpp the values that become arrays.
namespace weft::translate {
namespace {

// Replaces `word` where it is not the end of a longer name.
void replace_words(std::string& text, const std::string& word, const std::string& by) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_word =
        !std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != '.' && before != '>';
    if (is_word) text.replace(at, word.size(), by);
    at += is_word ? by.size() : word.size();
  }
}

}  // namespace

void FunctionEmitter::add(Line one) {
  if (for_subgroup_ && level_ == Level::ahead && region_ != 0) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(region_++ - 1), std::move(one));
    return;
  }
  if (for_subgroup_ && level_ == Level::lanes && region_ == 0) {
    lines_.push_back({"WEFT_EACH_LANE {", ""});
    region_ = lines_.size();
  } else if (for_subgroup_ && level_ == Level::group && region_ != 0) {
    keep_in_registers();
    lines_.push_back({"}", ""});
    region_ = 0;
  }
  lines_.push_back(std::move(one));
}

// An element that the open loop sets under a condition is kept in a variable until the loop's end. Compilers make a
// store under a mask of a condition, which processors do not forward to the next load of the whole vector.
void FunctionEmitter::keep_in_registers() {
  const auto begin = lines_.begin() + static_cast<std::ptrdiff_t>(region_);
  std::map<std::string, std::string> kept;  // by element
  int depth = 0;
  for (auto at = begin; at != lines_.end(); ++at) {
    if (at->text.starts_with("}")) --depth;
    const size_t end = at->text.find(" = ");
    const auto element =
        depth > 0 && end != std::string::npos ? elements_.find(at->text.substr(0, end)) : elements_.end();
    if (element != elements_.end()) kept[element->first] = parent_.names.unique(element->second.name + "_now");
    if (at->text.ends_with("{")) ++depth;
  }
  std::vector<Line> reads;
  for (const auto& [element, name] : kept) {
    for (auto at = begin; at != lines_.end(); ++at) replace_words(at->text, element, name);
    reads.push_back({elements_.at(element).type + " " + name + " = " + element + ";", ""});
  }
  for (const auto& [element, name] : kept) lines_.push_back({element + " = " + name + ";", ""});
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(region_), reads.begin(), reads.end());
}

// Notes that `element` is the text for the element that a lane has of a number.
void FunctionEmitter::note_element(const std::string& element, const std::string& name, const Type& type) {
  const bool is_number = type.kind == Kind::integer || type.kind == Kind::floating;
  if (is_number && type.width >= 32) elements_[element] = {name, parent_.types.name(type.id)};
}

FunctionEmitter::Level FunctionEmitter::level_of(const Instruction& i) const {
  const Level level = level_by_kind(i);
  const auto is_of_lanes = [&](Id id) { return is_array(id) && !is_divergent(id); };  // the open loop may compute it
  return level == Level::ahead && std::ranges::any_of(i.args, is_of_lanes) ? Level::group : level;
}

FunctionEmitter::Level FunctionEmitter::level_by_kind(const Instruction& i) const {
  if (lane_root_[inside_] >= 0) return Level::lanes;
  if (parent_.acts(i) || i.op == spv::OpMemoryBarrier) return Level::group;
  const Rule* rule = find_rule(i.op);
  if (rule && rule->group == std::string_view("atomic")) return Level::lanes;
  switch (i.op) {
    case spv::OpVariable:
      return is_divergent(i.result) ? Level::lanes : Level::group;
    case spv::OpLoad:
      return level_of_load(i);
    case spv::OpStore:
      if (!Types::is_byte_addressed(type_of(i.arg(0)).storage)) {
        return is_divergent(base_of(i.arg(0))) ? Level::lanes : Level::group;
      }
      return is_divergent(i.arg(0)) || is_divergent(i.arg(1)) ? Level::lanes : Level::group;
    case spv::OpCopyMemory:
      return Level::lanes;
    case spv::OpFunctionCall:
      return parent_.runs_once(i) ? Level::group : Level::lanes;
    default:
      return is_divergent(i.result) ? Level::lanes : Level::ahead;
  }
}

// Memory that nobody writes may be read before the statements of lanes.
FunctionEmitter::Level FunctionEmitter::level_of_load(const Instruction& load) const {
  if (is_divergent(load.result)) return Level::lanes;
  const spv::StorageClass storage = type_of(load.arg(0)).storage;
  const bool stays = !Types::is_byte_addressed(storage) || storage == spv::StorageClassPushConstant;
  return stays ? Level::ahead : Level::group;
}

// Statements of lanes take uniform values from variables, and reads of memory stay between the loops that may write it.
bool FunctionEmitter::stays_apart(const Instruction& i) const {
  const Level level = level_of(i);
  return level == Level::group || (level == Level::ahead && lane_used_.contains(i.result));
}

// The variable, parameter or value that a pointer is derived from.
Id FunctionEmitter::base_of(Id pointer) const {
  for (;;) {
    const auto found = definitions_.find(pointer);
    if (found == definitions_.end()) return pointer;
    const Instruction& i = *found->second;
    const Rule* rule = find_rule(i.op);
    if (!rule || (rule->emit != &FunctionEmitter::access_chain && i.op != spv::OpCopyObject)) return pointer;
    pointer = i.arg(0);
  }
}

// Declares a variable at the beginning of the open loop, at its first access.
void FunctionEmitter::declare_in_loop(Id variable) {
  const std::string& type = parent_.types.name(type_of(variable).element);
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(region_),
                {type + " " + parent_.names.of(variable) + ";", ""});
  variables_of_loops_.erase(variable);
}

std::string FunctionEmitter::type_name(Id type, bool of_lanes) const {
  const std::string& name = parent_.types.name(type);
  return of_lanes ? "weft_lanes<" + name + ">" : name;
}

// The name of a value: of the whole array, or of the lane's element. Active lanes agree on a uniform value.
std::string FunctionEmitter::element_of(Id id) const {
  const std::string& name = parent_.names.of(id);
  if (!is_array(id)) return name;
  if (level_ == Level::lanes) return name + "[lane]";
  return is_divergent(id) ? name : name + "[weft_first_lane(mask)]";
}

// Pointers that the invocation keeps are read once: a store of bytes could change them, for all that compilers know.
std::string FunctionEmitter::kept_pointer(const std::string& pointer) {
  std::string& name = kept_pointers_[pointer];
  if (name.empty()) {
    name = parent_.names.unique(pointer.starts_with("weft_buffer") ? "buffer" : "memory");
    variable_lines_.push_back("weft_byte* const " + name + " = " + pointer + ";");
  }
  return name;
}

// The arguments of a function that runs once for the subgroup: arrays as a whole, and pointers to whole variables.
std::string FunctionEmitter::arguments_for_lanes(const Instruction& call) {
  std::string text;
  for (size_t k = 1; k < call.args.size(); ++k) {
    const Type& type = type_of(call.args[k]);
    if (type.kind != Kind::pointer || Types::is_byte_addressed(type.storage)) {
      text += ", " + without_parentheses(value(call.args[k]));
      continue;
    }
    Lvalue lvalue = lvalue_of(call.args[k], call);
    if (lvalue.text.ends_with("[lane]")) lvalue.text.resize(lvalue.text.size() - 6);
    const bool is_whole = lvalue.text.find_first_of(".[") == std::string::npos;
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
