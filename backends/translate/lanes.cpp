#include <algorithm>

#include "backends/translate/fresh_variables.h"
#include "backends/translate/rules.h"

// A function that runs once for a subgroup. Statements of single lanes are in loops over the active lanes. A value that
// another such loop uses is an array with an element for each lane; uniform values are scalars. lanes_flow.cpp has the
// branches at which lanes part.
namespace weft::translate {

void FunctionEmitter::add(Line one) {
  if (for_subgroup_ && level_ == Level::ahead && region_ != 0) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(region_++ - 1), std::move(one));
    return;
  }
  if (for_subgroup_ && level_ == Level::lanes && region_ == 0) {
    lines_.push_back({"WEFT_EACH_LANE {", ""});
    region_ = lines_.size();
  } else if (for_subgroup_ && level_ == Level::group && region_ != 0) {
    lines_.push_back({"}", ""});
    region_ = 0;
  }
  lines_.push_back(std::move(one));
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

// Finds the values that outlive the loop over lanes that computes them. What uses a uniform one of them outside of such
// loops ends the open loop, which can make more of them.
void FunctionEmitter::find_all_arrays() {
  for (size_t found = 1, before = 0; found != before;) {
    before = arrays_.size();
    find_arrays();
    found = arrays_.size();
  }
}

void FunctionEmitter::find_arrays() {
  struct Home {
    int region = 0, root = -1;
    bool operator==(const Home&) const = default;
    bool sees(const Home& other) const { return root >= 0 ? root == other.root : *this == other; }
  };
  std::unordered_map<Id, Home> defined, ends;  // of values; of blocks
  std::vector<std::pair<Id, Home>> uses;
  const Home group{-1, -1};
  int region = 0;
  for (const Block& block : function_.blocks) {
    const auto found = structure_.construct_of.find(block.label);
    if (found == structure_.construct_of.end()) continue;
    inside_ = found->second;
    ++region;
    for (const Instruction& i : block.code) {
      const Home here{region, lane_root_[inside_]};
      if (i.op == spv::OpPhi) {
        defined[i.result] = here;
        continue;
      }
      const bool is_last = &i == &block.code.back();
      const Level level = is_last ? Level::lanes : level_of(i);
      const bool is_shared = level == Level::group;
      for (const uint32_t word : i.args) uses.emplace_back(word, is_shared ? group : here);
      if (level == Level::lanes) lane_used_.insert(i.args.begin(), i.args.end());
      if (i.result != 0) defined[i.result] = is_shared ? Home{0, -1} : here;
      if (is_shared) ++region;
    }
    // Both sides of a branch have loops of their own.
    const bool goes_on = lane_root_[inside_] >= 0 || block.terminator().op == spv::OpBranch;
    ends[block.label] = goes_on ? Home{region, lane_root_[inside_]} : group;
  }
  const auto keep = [&](Id id) {
    arrays_.insert(id);
    hoisted_.insert(id);
  };
  const auto differs = [&](Id id) { return is_divergent(id) || defined.at(id).root >= 0; };
  for (const Block& block : function_.blocks) {
    for (const Instruction& phi : block.code) {
      if (phi.op != spv::OpPhi || !defined.contains(phi.result)) break;
      for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
        const auto from = ends.find(phi.args[k + 1]);
        if (from == ends.end()) continue;
        uses.emplace_back(phi.args[k], from->second);
        if (differs(phi.result) && !defined.at(phi.result).sees(from->second)) keep(phi.result);
      }
    }
  }
  std::unordered_map<Id, std::vector<Home>> accesses;  // of variables
  for (size_t k = 0; k < uses.size(); ++k) {
    const auto [id, user] = uses[k];
    const auto variable = definitions_.find(id);
    if (variable != definitions_.end() && variable->second->op == spv::OpVariable) accesses[id].push_back(user);
    const auto home = defined.find(id);
    if (home == defined.end() || arrays_.contains(id)) continue;
    const Instruction& definition = *definitions_.at(id);
    const Rule* rule = find_rule(definition.op);
    const bool is_chain = rule && rule->emit == &FunctionEmitter::access_chain;
    if (is_chain || definition.op == spv::OpCopyObject) {  // its operands are used where it is
      if (!(home->second == user)) {
        for (const uint32_t word : definition.args) uses.emplace_back(word, user);
      }
      if (is_chain) continue;
    }
    if (definition.op != spv::OpVariable && differs(id) && !home->second.sees(user)) keep(id);
  }
  // Variables of a lane that nothing reads after the loop over lanes that writes them are of one lane at a time.
  variables_of_loops_.clear();
  for (const auto& [id, construct] : fresh_variables(parent_.module, function_, structure_)) {
    const std::vector<Home>& homes = accesses[id];
    const auto is_in_one = [&](const Home& one) { return one.region > 0 && homes.front().sees(one); };
    if (is_divergent(id) && std::ranges::all_of(homes, is_in_one)) variables_of_loops_.insert(id);
  }
  for (const Instruction& parameter : function_.parameters) {
    const Type& type = type_of(parameter.result);
    const bool is_value = type.kind != Kind::pointer || Types::is_byte_addressed(type.storage);
    if (is_value && is_divergent(parameter.result)) arrays_.insert(parameter.result);
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
