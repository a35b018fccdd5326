#pragma once

#include <unordered_map>

#include "backends/translate/structure.h"

namespace weft::translate {

/// The function's own variables that are written as a whole before anything else is done with them, each with the
/// smallest construct that holds all its uses. What was in such a variable when the construct was entered is never
/// seen, and lanes that left the construct, or an iteration of it, never see what is in it afterwards.
std::unordered_map<Id, int> fresh_variables(const Module& module, const Function& function, const Structure& structure);

}  // namespace weft::translate
