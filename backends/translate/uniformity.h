#pragma once

#include <unordered_set>

#include "backends/translate/module.h"

namespace weft::translate {

/// The values of these functions (the entry point last) that may differ among the active lanes of a subgroup. All other
/// values are equal in the lanes that compute them together.
std::unordered_set<Id> divergent_values(const Module& module, const std::vector<Id>& functions);

}  // namespace weft::translate
