#include "backends/translate/module_emitter.h"

#include <algorithm>
#include <functional>

#include <weft/error.h>

#include "backends/translate/emit_function.h"
#include "backends/translate/rules.h"
#include "backends/translate/uniformity.h"

namespace weft::translate {

ModuleEmitter::ModuleEmitter(const Module& source, const Reflection& read, Target wanted, const KernelOptions& chosen)
    : module(source),
      reflection(read),
      target(wanted),
      options(chosen),
      constants(source, chosen.specialization),
      names(source),
      types(source, constants, names) {
  for (const Instruction& variable : module.variables) globals_[variable.result] = variable;
  const auto look = [this](const Decorations& decorations) {
    for (const auto& [decoration, words] : decorations) {
      has_volatile_memory |= decoration == spv::DecorationVolatile || decoration == spv::DecorationCoherent;
      has_row_major_memory |= decoration == spv::DecorationRowMajor;
    }
  };
  for (const auto& [id, decorations] : module.decorations) look(decorations);
  for (const auto& [member, decorations] : module.member_decorations) look(decorations);
}

// The source's name for an instruction: that of its result, or of the variable that its operands were read from.
std::string ModuleEmitter::subject(const Instruction& instruction) const {
  std::unordered_map<Id, const Instruction*> definitions;
  for (const Function& function : module.functions) {
    for (const Block& block : function.blocks) {
      for (const Instruction& i : block.code) {
        if (i.result != 0) definitions[i.result] = &i;
      }
    }
  }
  std::vector<Id> ids{instruction.result};
  ids.insert(ids.end(), instruction.args.begin(), instruction.args.end());
  std::unordered_set<Id> seen;
  for (size_t k = 0; k < ids.size(); ++k) {
    if (!seen.insert(ids[k]).second) continue;
    const auto name = module.names.find(ids[k]);
    if (name != module.names.end() && !name->second.empty()) return names.in_source(ids[k]);
    const auto found = definitions.find(ids[k]);
    if (found == definitions.end()) continue;
    const spv::Op op = found->second->op;
    if (op == spv::OpLoad || op == spv::OpAccessChain || op == spv::OpSampledImage || op == spv::OpImage) {
      ids.insert(ids.end(), found->second->args.begin(), found->second->args.end());
    }
  }
  return {};
}

void ModuleEmitter::refuse(const Instruction& instruction, const std::string& why) {
  std::string what = instruction_name(instruction.op);
  if (const std::string name = subject(instruction); !name.empty()) what += " (" + name + ")";
  if (instruction.line != 0) what += " at line " + std::to_string(instruction.line);
  throw Error(ErrorCode::unsupported, "'" + module.name + "' cannot be translated: " + what + " " + why + ".");
}

uint32_t ModuleEmitter::site(const Instruction& instruction) {
  Site site{instruction_name(instruction.op), "", instruction.line};
  if (const auto file = module.strings.find(instruction.file); instruction.line != 0 && file != module.strings.end()) {
    site.file = file->second;
  }
  // A load or store is identified by what it accesses.
  const bool reads_or_writes = instruction.op == spv::OpLoad || instruction.op == spv::OpStore;
  const Id subject = instruction.result && !reads_or_writes ? instruction.result : instruction.arg(0);
  if (module.names.contains(subject)) site.what += " " + names.in_source(subject);
  const auto [found, is_new] = site_numbers_.try_emplace(site, static_cast<uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site);
  return found->second;
}

std::string ModuleEmitter::constant(Id id) {
  const Constant& value = *constants.find(id);
  constexpr size_t few = 16;
  const Kind kind = module.type(value.type).kind;
  if (value.parts.size() <= few || (kind != Kind::array && kind != Kind::structure)) return types.literal(value);
  const auto found = constant_functions_.find(id);
  if (found != constant_functions_.end()) return found->second + "()";
  const std::string name = names.unique("constant_" + std::to_string(id));
  const std::string& type = types.name(value.type);
  functions_ += "WEFT_FN " + type + " " + name + "() {\n  return " + types.literal(value) + ";\n}\n\n";
  constant_functions_[id] = name;
  return name + "()";
}

const EntryPoint& ModuleEmitter::entry_point() const {
  for (const EntryPoint& point : module.entry_points) {
    if (point.name == options.entry) return point;
  }
  throw Error(ErrorCode::invalid_argument, "'" + module.name + "' has no compute entry point '" + options.entry + "'.");
}

// The functions that the entry point calls, callees before callers.
std::vector<Id> ModuleEmitter::callees_first(Id entry) const {
  struct Open {
    Id id;
    std::vector<Id> callees;
    size_t next = 0;
  };
  const auto opened = [&](Id id) {
    Open open{id, {}};
    for (const Block& block : module.function(id).blocks) {
      for (const Instruction& i : block.code) {
        if (i.op == spv::OpFunctionCall) open.callees.push_back(i.arg(0));
      }
    }
    return open;
  };
  std::vector<Id> order;
  std::unordered_set<Id> seen{entry};
  std::vector<Open> open{opened(entry)};
  while (!open.empty()) {
    Open& last = open.back();
    if (last.next == last.callees.size()) {
      order.push_back(last.id);
      open.pop_back();
    } else if (const Id callee = last.callees[last.next++]; seen.insert(callee).second) {
      open.push_back(opened(callee));
    }
  }
  return order;
}

bool ModuleEmitter::acts(const Instruction& i) const {
  if (i.op == spv::OpFunctionCall) return acting_.contains(i.arg(0));
  return is_of_subgroup(i) || (i.op == spv::OpControlBarrier && target == Target::lanes);
}

bool ModuleEmitter::is_of_subgroup(const Instruction& i) const {
  if (i.op != spv::OpControlBarrier) return needs_lanes(i.op);
  const Constant* scope = constants.find(i.arg(0));
  return scope && scope->bits == spv::ScopeSubgroup;
}

void ModuleEmitter::find_acting(const std::vector<Id>& functions) {
  for (const Id id : functions) {
    for (const Block& block : module.function(id).blocks) {
      for (const Instruction& i : block.code) {
        if (acts(i)) acting_.insert(id);
        uses_subgroup_operations = uses_subgroup_operations || is_of_subgroup(i);
      }
    }
  }
}

void ModuleEmitter::count_nested_loops(const std::vector<Id>& functions) {
  for (const Id id : functions) {
    std::vector<uint32_t> around;  // loops around and of each construct
    for (const Construct& c : Structure(module, module.function(id)).constructs) {
      around.push_back((c.parent < 0 ? 0 : around[c.parent]) + (c.kind == Construct::Kind::loop ? 1 : 0));
      nested_loops_ = std::max(nested_loops_, around.back());
    }
  }
}

bool ModuleEmitter::is_quiet(const Instruction& i) const {
  if (i.op == spv::OpStore || i.op == spv::OpCopyMemory) {
    return module.type_of_value(i.arg(0)).storage == spv::StorageClassFunction;
  }
  if (i.op == spv::OpFunctionCall) return flow_.quiet.contains(i.arg(0));
  if (i.op == spv::OpMemoryBarrier || i.op == spv::OpUnreachable) return false;
  const Rule* rule = find_rule(i.op);
  return !rule || rule->group != std::string_view("atomic");
}

// Functions that write no memory but their callers' variables.
void ModuleEmitter::find_quiet(const std::vector<Id>& functions) {
  for (const Id id : functions) {
    if (acting_.contains(id)) continue;
    const std::vector<Block>& blocks = module.function(id).blocks;
    const bool quiet = std::ranges::all_of(blocks, [this](const Block& b) {
      return std::ranges::all_of(b.code, [this](const Instruction& i) { return is_quiet(i); });
    });
    if (quiet) flow_.quiet.insert(id);
  }
}

std::unordered_set<Id> ModuleEmitter::used_ids(const std::vector<Id>& functions) const {
  std::unordered_set<Id> used;
  for (const Id id : functions) {
    for (const Block& block : module.function(id).blocks) {
      for (const Instruction& i : block.code) used.insert(i.args.begin(), i.args.end());
    }
  }
  // The initializer of a variable may be an earlier variable.
  for (auto variable = module.variables.rbegin(); variable != module.variables.rend(); ++variable) {
    if (variable->args.size() > 1 && used.contains(variable->result)) used.insert(variable->arg(1));
  }
  return used;
}

// Refuses modes that change the meaning of arithmetic. Modes that match the translation are accepted.
void ModuleEmitter::check_execution_modes(Id entry) {
  const auto modes = module.execution_modes.find(entry);
  if (modes == module.execution_modes.end()) return;
  for (const Instruction& mode : modes->second) {
    switch (mode.arg(1)) {
      case spv::ExecutionModeDenormFlushToZero:
        refuse(mode, "with DenormFlushToZero is not supported: denormals are kept");
      case spv::ExecutionModeRoundingModeRTZ:
        refuse(mode, "with RoundingModeRTZ is not supported: results are rounded to nearest even");
      case spv::ExecutionModeDerivativeGroupQuadsNV:
      case spv::ExecutionModeDerivativeGroupLinearNV:
        refuse(mode, "with derivatives in compute shaders is not supported");
      default:
        break;
    }
  }
}

// Invocation indices are ints in the emitted code. No device has nearly that many in a workgroup.
void ModuleEmitter::check_workgroup_size() const {
  constexpr uint64_t most = 0x7fffffff;
  uint64_t invocations = 1;
  std::string text;
  for (const uint32_t size : reflection.workgroup_size) {
    invocations = size != 0 && invocations > most / size ? most + 1 : invocations * size;
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  if (invocations == 0 || invocations > most) {
    throw Error(ErrorCode::invalid_argument, "'" + module.name + "' cannot be translated: its workgroup is " + text +
                                                 " invocations; it may have 1 to " + std::to_string(most) + ".");
  }
}

Translation ModuleEmitter::run() {
  const EntryPoint& point = entry_point();
  const Id entry = point.function;
  check_execution_modes(entry);
  const std::vector<Id> functions = callees_first(entry);
  find_acting(functions);
  if (target == Target::lanes) count_nested_loops(functions);
  const std::unordered_set<Id> used = used_ids(functions);
  const bool takes_vectors = target == Target::lanes && acting_.empty() && take_vectors(functions);
  in_step_ = target == Target::lanes && !takes_vectors && may_run_in_step(functions);
  if (in_step_) acting_.insert(entry);
  if (takes_vectors) {
    // divergent_values() has run
  } else if (!acting_.empty() && target == Target::lanes) {
    flow_.acting = acting_;
    find_quiet(functions);
    if (in_step_) flow_.agreed = agreed_conditions(module.function(entry));
    divergent = divergent_values(module, functions, &flow_);
    std::erase_if(flow_.agreed, [this](Id condition) { return !divergent.contains(condition); });
  } else if (!acting_.empty()) {
    divergent = divergent_values(module, functions);
  }
  lay_out_workgroup_variables(used, point.interface);
  origins = pointer_origins(module, types, constants, functions);
  private_variables(used);
  for (const Id id : functions) {
    const Function& function = module.function(id);
    const std::string text =  // may add functions for constants to functions_
        in_step_ && id == entry ? entry_point_in_step(function) : emit_function(*this, FunctionFacts(*this, function));
    functions_ += text;
  }
  Translation result;
  check_workgroup_size();
  result.workgroup_size = reflection.workgroup_size;
  constexpr uint64_t most_declared = 48 * 1024;
  result.workgroup_memory_bytes = workgroup_bytes_;
  if (!is_host() && workgroup_bytes_ > most_declared) {
    result.dynamic_workgroup_memory_bytes = workgroup_bytes_;
  }
  result.push_constant_bytes = reflection.push_constant_bytes;
  result.invocation_bytes = invocation_bytes(functions);
  uint64_t bindings = 0;
  for (const Reflection::Binding& binding : reflection.bindings) bindings += binding.count;
  constexpr uint64_t most_bindings = 65536;
  if (bindings > most_bindings) {
    throw Error(ErrorCode::unsupported, "'" + module.name + "' cannot be translated: it takes " +
                                            std::to_string(bindings) + " buffers, and 65,536 is the most.");
  }
  result.binding_count = static_cast<uint32_t>(bindings);
  result.uses_subgroup_operations = uses_subgroup_operations;
  result.uses_barriers = uses_barriers;
  result.code = assemble(entry, result);
  return result;
}

}  // namespace weft::translate
