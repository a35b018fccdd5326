#include <algorithm>

#include "backends/translate/module_emitter.h"

// Variables of module scope: buffers, push constants, workgroup and private memory, builtins.
namespace weft::translate {

// Blocks with explicit layout overlap; all other variables are separate.
void ModuleEmitter::lay_out_workgroup_variables(const std::unordered_set<Id>& used, const std::vector<Id>& interface) {
  for (const Instruction& variable : module.variables) {
    if (variable.arg(0) != spv::StorageClassWorkgroup) continue;
    const Id type = module.type(variable.type).element;
    if (!module.has(type, spv::DecorationBlock)) continue;
    explicit_workgroup_ = true;
    // Even an unused variable zeroes the memory that overlaps it.
    const bool is_the_entrys = std::ranges::find(interface, variable.result) != interface.end();
    zeroed_workgroup_ = zeroed_workgroup_ || (variable.args.size() > 1 && is_the_entrys);
  }
  uint64_t end = 0, overlaid = 0;
  for (const Instruction& variable : module.variables) {
    if (variable.arg(0) != spv::StorageClassWorkgroup || !used.contains(variable.result)) continue;
    const Id type = module.type(variable.type).element;
    const uint64_t bytes = types.size(type, layout_in(spv::StorageClassWorkgroup));
    if (explicit_workgroup_) {
      overlaid = std::max(overlaid, bytes);
      workgroup_offsets_[variable.result] = 0;
    } else {
      constexpr uint64_t alignment = 16;
      end = (end + alignment - 1) / alignment * alignment;
      workgroup_offsets_[variable.result] = end;
      end += bytes;
    }
    if (end > ~uint32_t{0}) refuse(variable, "ends beyond 4 GiB of workgroup memory");
    if (variable.args.size() > 1) zeroed_workgroup_ = true;  // an initializer can only be zero
  }
  workgroup_bytes_ = std::max(end, overlaid);
}

void ModuleEmitter::private_variables(const std::unordered_set<Id>& used) {
  for (const Instruction& variable : module.variables) {
    if (variable.arg(0) != spv::StorageClassPrivate || !used.contains(variable.result)) continue;
    const Id type = module.type(variable.type).element;
    private_bytes_ += types.size(type, Layout::chosen);
    const Constant* start = variable.args.size() > 1 ? constants.find(variable.arg(1)) : nullptr;
    const std::string& name = names.of(variable.result);
    if (in_vectors()) {
      private_members_ += "  " + types.wide_name(type) + " " + name +
                          (start ? " = weft_spread(" + types.literal(*start) + ")" : "") + ";\n";
      continue;
    }
    const std::string value = types.name(type) + " " + name + (start ? " = " + types.literal(*start) : "") + ";\n";
    if (target != Target::lanes && is_apart(variable)) {
      private_members_ += "  " + types.name(type) + "* " + name + ";\n";
      private_starts_.append("  ").append(value);
      private_starts_.append("  self.").append(name).append(" = &").append(name).append(";\n");
    } else {
      private_members_ += "  " + value;
    }
    if (variable.args.size() > 1 && !start) private_starts_ += private_pointer(variable);
  }
}

// Arrays are objects of their own. Otherwise compilers would keep the whole invocation in memory, with its arguments,
// because of an index that they do not know.
bool ModuleEmitter::is_apart(const Instruction& variable) const {
  return module.type(module.type(variable.type).element).kind == Kind::array;
}

// The initializer of a variable may be the address of another one, which needs the invocation.
std::string ModuleEmitter::private_pointer(const Instruction& variable) {
  const Lvalue lvalue = this->variable(variable.arg(1), variable);
  if (!lvalue.bytes || lvalue.text.empty())
    refuse(variable, "has a pointer as its initializer, which is not supported");
  const char* const self = target == Target::lanes ? "  self.privates->" : "  self.";
  return self + names.of(variable.result) + " = " + lvalue.address() + ";\n";
}

// Upper bound on the bytes of one invocation's variables: the module's, and those of the functions active at a time.
uint64_t ModuleEmitter::invocation_bytes(const std::vector<Id>& callees_first) const {
  std::unordered_map<Id, uint64_t> open;
  constexpr uint64_t large = 4096;  // array values of this size get their own memory
  for (const Id id : callees_first) {
    uint64_t own = 0, deepest = 0;
    for (const Block& block : module.function(id).blocks) {
      for (const Instruction& i : block.code) {
        if (i.op == spv::OpFunctionCall) {
          const auto callee = open.find(i.arg(0));
          if (callee != open.end()) deepest = std::max(deepest, callee->second);
        }
        if (i.op == spv::OpVariable) own += types.size(module.type(i.type).element, Layout::chosen);
        const bool is_array = i.type != 0 && module.type(i.type).kind == Kind::array;
        if (is_array && types.size(i.type, Layout::chosen) > large) own += types.size(i.type, Layout::chosen);
      }
    }
    open[id] = own + deepest;
  }
  return open.at(callees_first.back()) + private_bytes_;
}

// Index of a binding's first buffer in the entry point's list.
uint32_t ModuleEmitter::binding_index(const Instruction& variable, const Instruction& user) {
  const auto set = module.decoration(variable.result, spv::DecorationDescriptorSet);
  const auto number = module.decoration(variable.result, spv::DecorationBinding);
  uint32_t index = 0;
  for (const Reflection::Binding& binding : reflection.bindings) {
    if (binding.set == set.value_or(0) && binding.binding == number.value_or(0)) {
      if (binding.count == 0) refuse(user, "uses an array of buffers without a size, which is not supported");
      return index;
    }
    index += binding.count;
  }
  refuse(user, "uses a variable without a binding, which is not supported");
}

Lvalue ModuleEmitter::variable(Id id, const Instruction& user) {
  const auto found = globals_.find(id);
  if (found == globals_.end()) refuse(user, "uses a pointer that is not supported");
  const Instruction& variable = found->second;
  const Type& pointee = module.type(module.type(variable.type).element);
  Lvalue lvalue;
  lvalue.type = pointee.id;
  lvalue.bytes = true;
  lvalue.alignment = 16;
  lvalue.is_volatile = module.has(id, spv::DecorationVolatile) || module.has(id, spv::DecorationCoherent);
  switch (spv::StorageClass(variable.arg(0))) {
    case spv::StorageClassStorageBuffer:
    case spv::StorageClassUniform: {
      const bool is_array = pointee.kind == Kind::array;
      lvalue.binding = id;
      lvalue.binding_index = std::to_string(binding_index(variable, user)) + "u";
      // An array of descriptors needs an index first.
      if (!is_array) lvalue.text = "weft_buffer(self, " + lvalue.binding_index + ")";
      if (pointee.kind == Kind::runtime_array)
        refuse(user, "uses an array of buffers without a size, which is not supported");
      return lvalue;
    }
    case spv::StorageClassPushConstant:
      lvalue.text = "weft_push_constants(self)";
      lvalue.is_argument = true;
      return lvalue;
    case spv::StorageClassWorkgroup:
      lvalue.text = "weft_workgroup_memory(self)";
      lvalue.offset = workgroup_offsets_.at(id);
      lvalue.layout = layout_in(spv::StorageClassWorkgroup);
      lvalue.is_shared = true;
      return lvalue;
    case spv::StorageClassPrivate:
      lvalue.bytes = false;
      lvalue.text = target == Target::lanes ? "self.privates->" + names.of(id)
                    : is_apart(variable)    ? "(*self." + names.of(id) + ")"
                                            : "self." + names.of(id);
      return lvalue;
    case spv::StorageClassInput:
      lvalue.bytes = false;
      lvalue.text = builtin(variable, user);
      return lvalue;
    default:
      refuse(user, "uses a variable (" + names.in_source(id) + ") of a kind that is not supported");
  }
}

std::string ModuleEmitter::builtin(const Instruction& variable, const Instruction& user) {
  if (in_vectors()) {
    switch (module.decoration(variable.result, spv::DecorationBuiltIn).value_or(spv::BuiltInMax)) {
      case spv::BuiltInLocalInvocationId:
        return "weft_wide_local_id(self)";
      case spv::BuiltInGlobalInvocationId:
        return "weft_wide_global_id(self)";
      case spv::BuiltInLocalInvocationIndex:
        return "weft_wide_local_index(self)";
      case spv::BuiltInSubgroupLocalInvocationId:
        return "weft_wide_lane(self)";
      default:
        break;
    }
  }
  switch (module.decoration(variable.result, spv::DecorationBuiltIn).value_or(spv::BuiltInMax)) {
    case spv::BuiltInNumWorkgroups:
      return "weft_workgroup_count(self)";
    case spv::BuiltInWorkgroupSize:
      return "weft_workgroup_size(self)";
    case spv::BuiltInWorkgroupId:
      return "weft_workgroup_id(self)";
    case spv::BuiltInLocalInvocationId:
      return "weft_local_id(self)";
    case spv::BuiltInGlobalInvocationId:
      return "weft_global_id(self)";
    case spv::BuiltInLocalInvocationIndex:
      return "weft_local_index(self)";
    case spv::BuiltInSubgroupSize:
      return "weft_subgroup_size(self)";
    case spv::BuiltInNumSubgroups:
      return "weft_subgroup_count(self)";
    case spv::BuiltInSubgroupId:
      return "weft_subgroup_id(self)";
    case spv::BuiltInSubgroupLocalInvocationId:
      return "weft_lane(self)";
    case spv::BuiltInSubgroupEqMask:
      return "weft_eq_mask(self)";
    case spv::BuiltInSubgroupGeMask:
      return "weft_ge_mask(self)";
    case spv::BuiltInSubgroupGtMask:
      return "weft_gt_mask(self)";
    case spv::BuiltInSubgroupLeMask:
      return "weft_le_mask(self)";
    case spv::BuiltInSubgroupLtMask:
      return "weft_lt_mask(self)";
    case spv::BuiltInDeviceIndex:
      return "0u";
    default:
      refuse(user, "uses an input (" + names.in_source(variable.result) + ") that is not supported");
  }
}

}  // namespace weft::translate
