#include <algorithm>
#include <cstdlib>
#include <optional>

#include "backends/translate/emit_function.h"
#include "backends/translate/rules.h"

// An entry point without subgroup operations or barriers, where a subgroup is one flow of control. Each lane may run it
// alone, and GCC makes vectors of a loop over lanes only if no loop is inside. So lanes run an entry point with uniform
// loops in step: once for all of a subgroup, without masks. Where they part, each lane runs a construct alone; where
// one of the sides has loops or returns, as after the usual test of the size, all must agree: before anything is
// written, those that do not run the whole entry point alone, and so does a subgroup that is not full.
namespace weft::translate {
namespace {

bool is_loop(const Block& block) { return block.merge_op == spv::OpLoopMerge; }

bool is_atomic(const Instruction& i) {
  const Rule* rule = find_rule(i.op);
  return rule && rule->group == std::string_view("atomic");
}

// The blocks that may run before the end of this one, itself among them.
std::unordered_set<Id> up_to(Id label, const std::unordered_map<Id, std::vector<Id>>& predecessors) {
  std::unordered_set<Id> before{label};
  for (std::vector<Id> open{label}; !open.empty();) {
    const auto found = predecessors.find(open.back());
    open.pop_back();
    if (found == predecessors.end()) continue;
    for (const Id from : found->second) {
      if (before.insert(from).second) open.push_back(from);
    }
  }
  return before;
}

}  // namespace

bool ModuleEmitter::may_run_in_step(const std::vector<Id>& functions) const {
  const std::array<uint32_t, 3>& size = reflection.workgroup_size;
  if (!acting_.empty() || uint64_t{size[0]} * size[1] * size[2] < lanes()) return false;
  for (const Id id : functions) {
    const std::vector<Block>& blocks = module.function(id).blocks;
    const bool loops = std::ranges::any_of(blocks, is_loop);
    const bool is_entry = id == functions.back();
    if (is_entry && !loops) return false;
    const auto has_atomics = [](const Block& block) { return std::ranges::any_of(block.code, is_atomic); };
    if (!is_entry && loops && std::ranges::any_of(blocks, has_atomics)) return false;  // see may_wait()
  }
  return true;
}

// The conditions of selections, outside of loops, with nothing written before that running again would not write too.
std::unordered_set<Id> ModuleEmitter::agreed_conditions(const Function& entry) const {
  const Structure structure(module, entry);
  std::unordered_map<Id, std::vector<Id>> predecessors;
  std::unordered_map<Id, uint32_t> uses;
  std::unordered_set<int> parted;  // constructs with loops or returns
  for (const Block& block : entry.blocks) {
    for (const Id to : successors(block, module)) predecessors[to].push_back(block.label);
    for (const Instruction& i : block.code) {
      for (const uint32_t word : i.args) ++uses[word];
    }
    const auto inside = structure.construct_of.find(block.label);
    if (inside == structure.construct_of.end() || (!is_loop(block) && block.terminator().op != spv::OpReturn)) continue;
    for (int c = inside->second; c >= 0; c = structure.constructs[c].parent) parted.insert(c);
  }
  // Variables of the invocation without an initial value are written anew before they are read.
  const auto is_repeatable = [this](const Instruction& i) {
    const auto variable = i.op == spv::OpStore ? globals_.find(i.arg(0)) : globals_.end();
    const bool is_own = variable != globals_.end() && variable->second.arg(0) == spv::StorageClassPrivate &&
                        variable->second.args.size() == 1;
    return is_own || is_quiet(i);
  };
  const auto only_reads = [&](Id label) { return std::ranges::all_of(entry.block(label).code, is_repeatable); };
  std::unordered_set<Id> conditions;
  std::vector<bool> is_shared{true};  // constructs that lanes enter together
  for (int c = 1; c < static_cast<int>(structure.constructs.size()); ++c) {
    const Construct& one = structure.constructs[c];
    is_shared.push_back(is_shared[one.parent] && one.kind == Construct::Kind::selection && parted.contains(c));
    if (!is_shared[c]) continue;
    const Instruction& last = entry.block(one.header).terminator();
    const Id condition = last.arg(0);
    is_shared[c] = last.op == spv::OpBranchConditional && uses[condition] == 1 &&
                   std::ranges::all_of(up_to(one.header, predecessors), only_reads);
    if (is_shared[c]) conditions.insert(condition);
  }
  return conditions;
}

// The entry point in step, and where that is not always possible or of no use, of each lane.
std::string ModuleEmitter::entry_point_in_step(const Function& entry) {
  const FunctionFacts facts(*this, entry);
  in_step_ = gains_in_step(*this, facts);
  if (!in_step_) {
    acting_.clear();
    divergent.clear();
    flow_ = {};
    return emit_function(*this, FunctionFacts(*this, entry));
  }
  std::string text = emit_function(*this, facts);
  const std::array<uint32_t, 3>& size = reflection.workgroup_size;
  has_lanes_alone_ = !flow_.agreed.empty() || uint64_t{size[0]} * size[1] * size[2] % lanes() != 0;
  if (has_lanes_alone_) {
    const std::unordered_set<Id> acting = std::exchange(acting_, {});
    text += "__attribute__((noinline)) " + emit_function(*this, FunctionFacts(*this, entry));
    acting_ = acting;
  }
  return text;
}

namespace {

// The entry point as one flow of control for a subgroup.
class InStep {
 public:
  InStep(const ModuleEmitter& parent, const FunctionFacts& facts) : parent_(parent), facts_(facts) {}
  bool gains() const;

 private:
  bool may_wait(const Instruction& instruction) const;
  bool indexes_own_array(const Instruction& instruction) const;
  bool gathers_shortly(int construct) const;
  int64_t turns_of(const Block& header) const;

  const ModuleEmitter& parent_;
  const FunctionFacts& facts_;
};

// Whether the function has no masks, and a loop of which vectors can be made.
bool InStep::gains() const {
  const std::vector<Construct>& all = facts_.structure.constructs;
  const auto is_loop = [&](int c) { return all[c].kind == Construct::Kind::loop; };
  std::vector<bool> is_scalar(all.size(), false);  // contains a loop of which no vectors can be made
  for (int c = static_cast<int>(all.size()); c-- > 0;) {
    if (facts_.masks.masked(c)) return false;
    is_scalar[c] = is_scalar[c] || (is_loop(c) && (facts_.masks.lane_root(c) >= 0 || gathers_shortly(c)));
    if (all[c].parent >= 0 && is_scalar[c]) is_scalar[all[c].parent] = true;
  }
  for (const auto& [label, construct] : facts_.structure.construct_of) {
    const Block& block = facts_.function.block(label);
    const Instruction& last = block.terminator();
    const bool branches = last.op == spv::OpBranchConditional || last.op == spv::OpSwitch;
    if (facts_.masks.lane_root(construct) < 0 && branches && !parent_.is_uniform(last.arg(0))) {
      const auto opened = facts_.structure.opened_by.find(label);
      if (opened == facts_.structure.opened_by.end() || facts_.masks.lane_root(opened->second) < 0) return false;
    }
    for (int c = construct; c >= 0; c = all[c].parent) {
      const bool spoils = is_loop(c) && std::ranges::any_of(block.code, [&](const Instruction& i) {
                            return facts_.masks.lane_root(c) >= 0 ? may_wait(i) : indexes_own_array(i);
                          });
      if (spoils) return false;
    }
  }
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    if (is_loop(c) && !is_scalar[c]) return true;
  }
  return false;
}

// A lane that waits for another one in a loop must not keep it from going on.
bool InStep::may_wait(const Instruction& i) const {
  return is_atomic(i) || (i.op == spv::OpFunctionCall && !parent_.is_quiet(i));
}

// Elements of one array for each lane are far apart, which makes vectors of them slower than one lane's registers.
bool InStep::indexes_own_array(const Instruction& i) const {
  if (!is_access_chain(i.op)) return false;
  const Id base = facts_.values.base_of(i.arg(0));
  const Type& type = parent_.module.type_of_value(base);
  return type.kind == Kind::pointer && !Types::is_byte_addressed(type.storage) && facts_.lanes.is_per_lane(base) &&
         parent_.module.type(type.element).kind == Kind::array;
}

// Whether it is a loop of a few turns that read from addresses of the lanes' own. For one lane, GCC unrolls it
// (--param=max-completely-peel-times in host/compiler.cpp), and vectors with so little between gathers are no faster.
bool InStep::gathers_shortly(int construct) const {
  constexpr int64_t few = 15;
  const Construct& loop = facts_.structure.constructs[construct];
  if (loop.kind != Construct::Kind::loop || turns_of(facts_.function.block(loop.header)) > few) return false;
  return std::ranges::any_of(facts_.structure.construct_of, [&](const auto& entry) {
    const auto is_gather = [this](const Instruction& i) {
      return i.op == spv::OpLoad && Types::is_byte_addressed(parent_.module.type_of_value(i.arg(0)).storage) &&
             facts_.lanes.is_per_lane(i.result);
    };
    const auto& [label, inside] = entry;
    return facts_.structure.lies_in(inside, construct) &&
           std::ranges::any_of(facts_.function.block(label).code, is_gather);
  });
}

// About how often a loop over a counter from one constant to another by steps of 1 turns; otherwise many times.
int64_t InStep::turns_of(const Block& header) const {
  constexpr int64_t many = int64_t{1} << 32;
  const auto number = [this](Id id) -> std::optional<int64_t> {
    const Constant* constant = parent_.constants.find(id);
    const bool is_word = constant && parent_.module.type(constant->type).kind == Kind::integer;
    return is_word ? std::optional<int64_t>(static_cast<int32_t>(constant->bits)) : std::nullopt;
  };
  const std::vector<Id> way = facts_.structure.way_out(header);
  if (way.empty()) return many;
  const Instruction* test = facts_.values.definition(facts_.function.block(way.back()).terminator().arg(0));
  if (!test || test->args.size() != 2) return many;
  const std::optional<int64_t> limit = number(test->arg(1));
  const Instruction* counter = facts_.values.definition(test->arg(0));
  if (!limit || !counter) return many;
  std::vector<Id> starts;
  if (counter->op == spv::OpPhi) starts = {counter->arg(0), counter->arg(2)};
  for (const Block& block : facts_.function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == spv::OpStore && i.arg(0) == counter->arg(0)) starts.push_back(i.arg(1));
    }
  }
  for (const Id start : starts) {
    if (const auto first = number(start)) return std::abs(*limit - *first);
  }
  return many;
}

}  // namespace

bool gains_in_step(const ModuleEmitter& parent, const FunctionFacts& facts) { return InStep(parent, facts).gains(); }

}  // namespace weft::translate
