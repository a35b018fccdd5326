#include "backends/translate/uniformity.h"

#include <algorithm>
#include <memory>

#include "backends/translate/fresh_variables.h"
#include "backends/translate/rules.h"
#include "backends/translate/structure.h"

namespace weft::translate {
namespace {

// Everything counts as uniform until there is a reason against it; iterates to a fixed point. Variables are in the same
// set as values: a variable is divergent if lanes may see different contents.
class Uniformity {
 public:
  Uniformity(const Module& module, const std::vector<Id>& functions, SubgroupFlow* flow)
      : module_(module), functions_(functions), flow_(flow) {
    for (const Instruction& variable : module.variables) {
      variables_[variable.result] = &variable;
      if (flow_ && variable.arg(0) == spv::StorageClassPrivate) divergent_.insert(variable.result);
    }
    for (const Id id : functions) {
      const auto structure = structures_.emplace(id, Structure(module, module.function(id))).first;
      fresh_.merge(fresh_variables(module, module.function(id), structure->second));
      for (const Block& block : module.function(id).blocks) {
        for (const Instruction& i : block.code) {
          if (i.result == 0) continue;
          definitions_[i.result] = &i;
          if (i.op == spv::OpVariable) variables_[i.result] = &i;
        }
      }
      for (const Instruction& parameter : module.function(id).parameters) parameters_.insert(parameter.result);
    }
  }

  std::unordered_set<Id> run() {
    do {
      changed_ = false;
      for (const Id id : functions_) {
        Structure& structure = structures_.at(id);
        structure.find_divergence([this](Id condition) { return agree(condition); },
                                  [this](const Instruction& i) { return flow_ && acts(i); });
        if (flow_ && flow_->acting.contains(id)) structure.let_lanes_run_alone();
        // Lanes that leave the entry point do not return.
        if (id == functions_.back()) structure.forget_returns();
        for (const Block& block : module_.function(id).blocks) {
          for (const Instruction& i : block.code) visit(id, structure, block, i);
        }
        values_that_leave_loops(id, structure);
      }
    } while (changed_);
    return std::move(divergent_);
  }

 private:
  bool acts(const Instruction& i) const {
    if (flow_->vectors) return true;
    if (i.op == spv::OpFunctionCall) return flow_->acting.contains(i.arg(0));
    return needs_lanes(i.op) || i.op == spv::OpControlBarrier;
  }
  bool agree(Id condition) const {
    return !divergent_.contains(condition) || (flow_ && flow_->agreed.contains(condition));
  }
  void mark(Id id) { changed_ = divergent_.insert(id).second || changed_; }
  bool is_divergent(Id id) const { return divergent_.contains(id); }
  bool any_divergent(const Instruction& i, size_t first = 0) const {
    return std::any_of(i.args.begin() + static_cast<std::ptrdiff_t>(std::min(first, i.args.size())), i.args.end(),
                       [&](uint32_t word) { return is_divergent(word); });
  }

  // The base of a pointer (a variable, a parameter, or another value), and whether lanes reach it differently.
  std::pair<Id, bool> root(Id pointer) const {
    bool differs = false;
    while (true) {
      const auto found = definitions_.find(pointer);
      if (found == definitions_.end()) return {pointer, differs};
      const Instruction& i = *found->second;
      const bool steps = i.op == spv::OpAccessChain || i.op == spv::OpInBoundsAccessChain ||
                         i.op == spv::OpPtrAccessChain || i.op == spv::OpInBoundsPtrAccessChain;
      if (!steps && i.op != spv::OpCopyObject) return {pointer, differs};
      differs = differs || any_divergent(i, 1);
      pointer = i.arg(0);
    }
  }

  // Storage buffers of SPIR-V 1.0 have the class of uniform buffers; a decoration distinguishes them.
  bool is_storage_block(const Instruction& variable) const {
    Id type = module_.type(variable.type).element;
    while (module_.type(type).kind == Kind::array || module_.type(type).kind == Kind::runtime_array) {
      type = module_.type(type).element;
    }
    return module_.has(type, spv::DecorationBufferBlock);
  }

  bool load_differs(const Instruction& i) const {
    const auto [base, differs] = root(i.arg(0));
    if (differs) return true;
    if (const auto variable = variables_.find(base); variable != variables_.end()) {
      switch (spv::StorageClass(variable->second->arg(0))) {
        case spv::StorageClassFunction:
        case spv::StorageClassPrivate:
          return is_divergent(base);
        case spv::StorageClassPushConstant:
          return false;
        case spv::StorageClassUniform:
          return !flow_ && is_storage_block(*variable->second);
        case spv::StorageClassInput:
          return builtin_differs(base);
        default:
          return !flow_;  // another invocation may have written between two lanes' loads
      }
    }
    if (flow_) return is_divergent(base);
    return !parameters_.contains(base) || is_divergent(base) ||
           Types::is_byte_addressed(module_.type_of_value(base).storage);
  }

  bool builtin_differs(Id variable) const {
    switch (module_.decoration(variable, spv::DecorationBuiltIn).value_or(spv::BuiltInMax)) {
      case spv::BuiltInNumWorkgroups:
      case spv::BuiltInWorkgroupSize:
      case spv::BuiltInWorkgroupId:
      case spv::BuiltInSubgroupSize:
      case spv::BuiltInNumSubgroups:
      case spv::BuiltInSubgroupId:
        return false;
      default:
        return true;
    }
  }

  void store(Id function, Id label, Id pointer, bool value_differs) {
    const auto [base, differs] = root(pointer);
    if (flow_ && Types::is_byte_addressed(module_.type_of_value(base).storage)) return;  // not a matter of pointers
    const auto fresh = fresh_.find(base);
    const bool apart = structures_.at(function).is_apart(label, fresh == fresh_.end() ? -1 : fresh->second);
    if (parameters_.contains(base)) stored_parameters_.insert(base);
    const auto variable = variables_.find(base);
    const bool is_private = variable != variables_.end() && variable->second->arg(0) == spv::StorageClassPrivate;
    if (differs || value_differs || apart || (is_private && called_apart_.contains(function))) mark(base);
  }

  void pass_arguments(const Instruction& i, const Function& callee) {
    for (size_t k = 0; k < callee.parameters.size(); ++k) {
      const Id parameter = callee.parameters[k].result, argument = i.arg(k + 1);
      const auto [base, differs] = root(argument);
      const bool is_pointer = module_.type_of_value(parameter).kind == Kind::pointer;
      if (is_pointer ? differs || is_divergent(base) : is_divergent(argument)) mark(parameter);
    }
  }

  void call(Id function, Id label, const Instruction& i) {
    const bool apart = structures_.at(function).is_apart(label);
    const Function& callee = module_.function(i.arg(0));
    // With `flow`, others are judged as if their arguments were uniform, and each call by its own arguments.
    if (!flow_ || flow_->acting.contains(callee.id)) {
      pass_arguments(i, callee);
      if ((apart || called_apart_.contains(function)) && called_apart_.insert(callee.id).second) changed_ = true;
    }
    for (size_t k = 0; k < callee.parameters.size(); ++k) {
      const Id parameter = callee.parameters[k].result;
      if (stored_parameters_.contains(parameter)) store(function, label, i.arg(k + 1), is_divergent(parameter));
    }
    if (is_divergent(callee.id)) mark(i.result);
    if (flow_) call_in_flow(i, callee);
  }

  // Lanes that run a call by themselves may get different results. An array of the lanes' variables stays one.
  void call_in_flow(const Instruction& i, const Function& callee) {
    bool once = flow_->quiet.contains(callee.id) && !is_divergent(callee.id);
    const bool acts = flow_->acting.contains(callee.id);
    const auto is_own_variable = [&](Id value) {
      const Type& type = module_.type_of_value(value);
      return type.kind == Kind::pointer && !Types::is_byte_addressed(type.storage);
    };
    for (size_t k = 1; k < i.args.size(); ++k) {
      const auto [base, differs] = root(i.arg(k));
      once = once && !differs && !is_divergent(base) && !is_divergent(i.arg(k));
      if (acts && is_own_variable(i.arg(k)) && is_divergent(callee.parameters[k - 1].result)) mark(base);
    }
    if (acts) return;
    if (once) {
      flow_->calls_once.insert(i.result);
      return;
    }
    changed_ = flow_->calls_once.erase(i.result) != 0 || changed_;
    mark(i.result);
    for (size_t k = 1; k < i.args.size(); ++k) {
      if (is_own_variable(i.arg(k)) && stored_parameters_.contains(callee.parameters[k - 1].result)) {
        mark(root(i.arg(k)).first);
      }
    }
  }

  // Operations with the same result in all lanes.
  bool is_shared_result(const Instruction& i) const {
    switch (i.op) {
      case spv::OpGroupNonUniformAll:
      case spv::OpGroupNonUniformAny:
      case spv::OpGroupNonUniformAllEqual:
      case spv::OpGroupNonUniformBallot:
      case spv::OpGroupNonUniformBroadcastFirst:
      case spv::OpSubgroupAllKHR:
      case spv::OpSubgroupAnyKHR:
      case spv::OpSubgroupAllEqualKHR:
      case spv::OpSubgroupBallotKHR:
      case spv::OpSubgroupFirstInvocationKHR:
      case spv::OpArrayLength:
        return true;
      case spv::OpGroupNonUniformBroadcast:
      case spv::OpGroupNonUniformShuffle:
        return !is_divergent(i.arg(2));
      case spv::OpSubgroupReadInvocationKHR:
        return !is_divergent(i.arg(1));
      case spv::OpGroupNonUniformBallotBitCount:
        return i.arg(1) == spv::GroupOperationReduce && !is_divergent(i.arg(2));
      case spv::OpGroupNonUniformBallotFindLSB:
      case spv::OpGroupNonUniformBallotFindMSB:
        return !is_divergent(i.arg(1));
      case spv::OpGroupNonUniformBallotBitExtract:
        return !is_divergent(i.arg(1)) && !is_divergent(i.arg(2));
      default:
        return spv::OpGroupNonUniformIAdd <= i.op && i.op <= spv::OpGroupNonUniformLogicalXor &&
               i.arg(1) == spv::GroupOperationReduce;
    }
  }

  static bool is_own_result(spv::Op op) {
    return (spv::OpAtomicFlagTestAndSet <= op && op <= spv::OpAtomicFlagClear) ||
           (spv::OpAtomicLoad <= op && op <= spv::OpAtomicXor) || op == spv::OpAtomicFAddEXT ||
           op == spv::OpAtomicFMinEXT || op == spv::OpAtomicFMaxEXT;
  }

  void visit(Id function, const Structure& structure, const Block& block, const Instruction& i) {
    switch (i.op) {
      case spv::OpVariable:
        return;
      case spv::OpLoad:
        if (load_differs(i)) mark(i.result);
        return;
      case spv::OpStore:
        store(function, block.label, i.arg(0), is_divergent(i.arg(1)));
        return;
      case spv::OpCopyMemory:
        store(function, block.label, i.arg(0), true);
        return;
      case spv::OpFunctionCall:
        call(function, block.label, i);
        return;
      case spv::OpReturnValue:
        if (structure.is_apart(block.label) || is_divergent(i.arg(0)))
          mark(function);  // a function's id represents its return value
        return;
      case spv::OpPhi:
        if (any_divergent(i) || structure.lanes_join_at(block.label)) mark(i.result);
        return;
      case spv::OpExtInst:
        for (size_t k = 2; k < i.args.size(); ++k) {  // after two numbers: the set and the instruction's in it
          const auto type = module_.type_of.find(i.arg(k));
          if (type == module_.type_of.end() || module_.type(type->second).kind != Kind::pointer) continue;
          store(function, block.label, i.arg(k), true);  // Modf and Frexp write through it
          if (flow_) mark(i.result);
        }
        if (any_divergent(i, 2)) mark(i.result);
        return;
      default:
        break;
    }
    if (i.result == 0) return;
    const Rule* rule = find_rule(i.op);
    const bool is_group = rule && rule->group == std::string_view("subgroup");
    const bool is_length = i.op == spv::OpArrayLength && !flow_;  // stores mark the buffer
    if (is_group ? !is_shared_result(i) : !is_length && (is_own_result(i.op) || any_divergent(i))) mark(i.result);
  }

  // Lanes that leave a loop at different times leave with different values.
  void values_that_leave_loops(Id function, const Structure& structure) {
    std::unordered_map<Id, Id> block_of;
    const Function& code = module_.function(function);
    for (const Block& block : code.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != 0) block_of[i.result] = block.label;
      }
    }
    std::vector<uint32_t> loops;  // around each construct: loops that lanes leave at different times
    for (const Construct& c : structure.constructs) {
      const bool counts = c.kind == Construct::Kind::loop && c.leaves_apart;
      loops.push_back((c.parent < 0 ? 0 : loops[c.parent]) + (counts ? 1 : 0));
    }
    const auto use = [&](Id id, Id user) {
      const auto definition = block_of.find(id);
      if (definition == block_of.end() || definition->second == user || is_divergent(id)) return;
      const auto inside = structure.construct_of.find(definition->second), outside = structure.construct_of.find(user);
      if (inside == structure.construct_of.end() || outside == structure.construct_of.end()) return;
      if (loops[inside->second] > loops[structure.common(inside->second, outside->second)]) mark(id);
    };
    for (const Block& block : code.blocks) {
      for (const Instruction& i : block.code) {
        for (const uint32_t word : i.args) use(word, block.label);
      }
    }
  }

  const Module& module_;
  const std::vector<Id>& functions_;
  SubgroupFlow* const flow_;
  std::unordered_map<Id, Structure> structures_;
  std::unordered_map<Id, int> fresh_;  // see fresh_variables.h
  std::unordered_map<Id, const Instruction*> definitions_, variables_;
  std::unordered_set<Id> parameters_, stored_parameters_, called_apart_, divergent_;
  bool changed_ = false;
};

}  // namespace

std::unordered_set<Id> divergent_values(const Module& module, const std::vector<Id>& functions, SubgroupFlow* flow) {
  return Uniformity(module, functions, flow).run();
}

}  // namespace weft::translate
