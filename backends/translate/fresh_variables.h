#pragma once

#include <unordered_map>

#include "backends/translate/structure.h"

namespace weft::translate {

/// The function's variables whose first access is a write of the whole variable, each with the smallest construct that
/// contains all its uses. The contents at entry to the construct are never read. Lanes that have left the construct, or
/// an iteration of it, never read later contents.
std::unordered_map<Id, int> fresh_variables(const Module& module, const Function& function, const Structure& structure);

}  // namespace weft::translate
