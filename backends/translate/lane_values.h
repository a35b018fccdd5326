#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/body.h"
#include "backends/translate/function_values.h"
#include "backends/translate/masks.h"
#include "backends/translate/module_emitter.h"

namespace weft::translate {

/// The values and statements of a function that runs once for a subgroup. Statements of single lanes are in loops over
/// the active lanes. A value that outlives its loop is an array with an element for each lane; uniform values are
/// scalars. In other functions, every value is a scalar, and no statement is in such a loop.
class LaneValues {
 public:
  LaneValues(const ModuleEmitter& parent, const Function& function, const Structure& structure,
             const FunctionValues& values, const Masks& masks, bool runs_once);

  bool runs_once() const { return runs_once_; }
  /// Whether a value, or the variable that a pointer points to, may differ among lanes.
  bool is_per_lane(Id id) const { return runs_once_ && parent_.divergent.contains(id); }
  bool is_array(Id id) const { return parent_.in_vectors() ? is_per_lane(id) : arrays_.contains(id); }
  /// Whether a variable is declared in the loop over lanes that uses it.
  bool is_of_loop(Id variable) const { return of_loops_.contains(variable); }

  Level level_in(int construct) const { return masks_.lane_root(construct) >= 0 ? Level::lanes : Level::group; }
  Level level_of(const Instruction& instruction, int construct) const;
  /// Whether a value is computed in a statement of its own, before its use.
  bool stays_apart(const Instruction& instruction, int construct) const;

 private:
  // lane_levels.cpp
  Level level_by_kind(const Instruction& instruction, int construct) const;
  Level level_of_load(const Instruction& load) const;
  // lane_values.cpp
  struct Home;
  struct Uses;
  void find_arrays();
  Uses uses_by_loop();
  bool differs(Id id, const Uses& uses) const;
  void keep_phis(Uses& uses);
  void keep_values(Uses& uses);
  void find_variables_of_loops(Uses& uses);

  const ModuleEmitter& parent_;
  const Function& function_;
  const Structure& structure_;
  const FunctionValues& values_;
  const Masks& masks_;
  const bool runs_once_;
  std::unordered_set<Id> arrays_, of_loops_;
  std::unordered_set<Id> used_by_lanes_;  // values that statements of single lanes use
};

}  // namespace weft::translate
