#pragma once

#include <unordered_set>

#include "backends/translate/module.h"

namespace weft::translate {

/// The values of these functions (the entry is the last of them) that may differ among the active lanes of a subgroup.
/// All others are the same in every lane that computes them together.
std::unordered_set<Id> divergent_values(const Module& module, const std::vector<Id>& functions);

}  // namespace weft::translate
