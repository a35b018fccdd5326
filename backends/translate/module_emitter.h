#pragma once

#include <compare>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/constants.h"
#include "backends/translate/lvalue.h"
#include "backends/translate/names.h"
#include "backends/translate/pointer_origins.h"
#include "backends/translate/translate.h"
#include "backends/translate/uniformity.h"

namespace weft::translate {

/// Emits a module. Holds the state that its functions share: names, types, tables, and the code emitted so far.
class ModuleEmitter {
 public:
  ModuleEmitter(const Module& source, const Reflection& reflection, Target target, const KernelOptions& options);
  Translation run();

  [[noreturn]] void refuse(const Instruction& instruction, const std::string& why = "is not supported");

  /// A location in the source, as an index for messages at run time.
  uint32_t site(const Instruction& instruction);
  /// A variable of module scope.
  Lvalue variable(Id id, const Instruction& user);
  /// A constant as an expression. Large ones become functions.
  std::string constant(Id id);
  /// C++ that reads or writes an object; see memory.cpp.
  std::string load(const Lvalue& lvalue);
  void store(const Lvalue& lvalue, const std::string& value, std::vector<std::string>& lines);
  /// The layout of memory of a storage class.
  Layout layout_in(spv::StorageClass storage) const {
    return storage == spv::StorageClassWorkgroup && !explicit_workgroup_ ? Layout::chosen : Layout::decorated;
  }
  /// Whether it needs the mask of active lanes: a subgroup operation, or a call of a function that contains one. With a
  /// subgroup as one flow of control, also barriers.
  bool acts(const Instruction& instruction) const;
  bool is_of_subgroup(const Instruction& instruction) const;
  bool acts(Id function) const { return acting_.contains(function); }
  bool is_host() const { return target == Target::host || target == Target::lanes; }
  /// With a subgroup as one flow of control: whether a call runs once, not for each lane; see uniformity.h.
  bool runs_once(const Instruction& call) const { return flow_.calls_once.contains(call.result); }
  /// Whether it has no effects beyond its result and variables of the function.
  bool is_quiet(const Instruction& instruction) const;
  /// For an entry point whose lanes run in step; see in_step.cpp.
  bool agree(Id condition) const { return flow_.agreed.contains(condition); }
  bool may_disagree() const { return !flow_.agreed.empty(); }
  /// With a subgroup as one flow of control: whether statements are operations on vectors of the lanes' values, instead
  /// of loops over the lanes; see vectors.cpp.
  bool in_vectors() const { return flow_.vectors; }
  /// Whether all active lanes that branch on a condition take the same side.
  bool is_uniform(Id condition) const { return !divergent.contains(condition) || agree(condition); }

  const Module& module;
  const Reflection& reflection;
  const Target target;
  const KernelOptions& options;
  Constants constants;
  Names names;
  Types types;
  /// Origins of pointers that are function parameters or results of a selection.
  std::unordered_map<Id, PointerOrigin> origins;
  bool uses_barriers = false, uses_subgroup_operations = false;
  bool parts_lanes = false;           ///< With a subgroup as one flow of control: whether masks of lanes are needed.
  bool has_volatile_memory = false;   ///< Memory that others may write at any time.
  bool has_row_major_memory = false;  ///< Matrices whose columns are not contiguous.
  /// Values that may differ among the active lanes of a subgroup; see uniformity.h.
  std::unordered_set<Id> divergent;

 private:
  Lvalue part_of(const Lvalue& lvalue, uint64_t index) const;
  std::string memory_name(Id type);
  std::string load_function(const Lvalue& lvalue);
  std::string store_function(const Lvalue& lvalue);
  std::string memory_key(const Lvalue& lvalue, bool storing);
  std::vector<Id> callees_first(Id entry) const;
  void find_acting(const std::vector<Id>& functions);
  void count_nested_loops(const std::vector<Id>& functions);
  void find_quiet(const std::vector<Id>& functions);
  bool may_run_in_step(const std::vector<Id>& functions) const;
  bool take_vectors(const std::vector<Id>& functions);
  std::unordered_set<Id> agreed_conditions(const Function& entry) const;
  std::string entry_point_in_step(const Function& entry);
  uint32_t lanes() const { return options.subgroup_size != 0 ? options.subgroup_size : 32; }
  std::string self_declaration() const;
  void lay_out_workgroup_variables(const std::unordered_set<Id>& used, const std::vector<Id>& interface);
  uint64_t invocation_bytes(const std::vector<Id>& callees_first) const;
  void private_variables(const std::unordered_set<Id>& used);
  std::string private_pointer(const Instruction& variable);
  bool is_apart(const Instruction& variable) const;
  std::unordered_set<Id> used_ids(const std::vector<Id>& functions) const;
  std::string builtin(const Instruction& variable, const Instruction& user);
  uint32_t binding_index(const Instruction& variable, const Instruction& user);
  std::string assemble(Id entry, const Translation& result);
  std::string site_table() const;
  std::string subject(const Instruction& instruction) const;
  const EntryPoint& entry_point() const;
  void check_execution_modes(Id entry);
  void check_workgroup_size() const;

  std::unordered_map<Id, Instruction> globals_;
  std::unordered_set<Id> acting_;
  SubgroupFlow flow_;
  bool in_step_ = false, has_lanes_alone_ = false;
  uint32_t nested_loops_ = 0;  // within one function, at most
  std::unordered_map<Id, uint64_t> workgroup_offsets_;
  uint64_t workgroup_bytes_ = 0, private_bytes_ = 0;
  bool explicit_workgroup_ = false, zeroed_workgroup_ = false;
  std::string private_members_, private_starts_, memory_functions_, functions_;
  std::unordered_map<std::string, std::string> memory_function_names_;
  std::unordered_map<Id, std::string> constant_functions_;
  struct Site {
    std::string what, file;
    uint32_t line = 0;
    auto operator<=>(const Site&) const = default;
  };
  std::vector<Site> sites_;
  std::map<Site, uint32_t> site_numbers_;
};

}  // namespace weft::translate
