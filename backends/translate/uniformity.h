#pragma once

#include <unordered_set>

#include "backends/translate/module.h"

namespace weft::translate {

/// A subgroup as one flow of control: statements of single lanes run in loops over the lanes, others once.
struct SubgroupFlow {
  std::unordered_set<Id> acting;  ///< Functions that run once for a subgroup, since they have operations of it.
  std::unordered_set<Id> quiet;   ///< Other functions without effects beyond their result and arguments.
  /// Calls of quiet functions with uniform arguments and results, which run once. divergent_values() finds them.
  std::unordered_set<Id> calls_once;
  /// Whether values of lanes are vectors, so that all that differs among lanes runs under masks; see vectors.cpp.
  bool vectors = false;
  /// Conditions on which the lanes agree wherever they branch on them; see in_step.cpp.
  std::unordered_set<Id> agreed;
};

/// The values of these functions (the entry point last) that may differ among the active lanes of a subgroup. All other
/// values are equal in the lanes that compute them together. With `flow`, a uniform load is one load for all lanes.
std::unordered_set<Id> divergent_values(const Module& module, const std::vector<Id>& functions,
                                        SubgroupFlow* flow = nullptr);

}  // namespace weft::translate
