#pragma once

#include "backends/translate/function_facts.h"

namespace weft::translate {

/// Emits a function, for each invocation or once for a subgroup, as the facts say.
std::string emit_function(ModuleEmitter& parent, const FunctionFacts& facts);

/// For an entry point whose lanes may run in step: whether they gain by it. See in_step.cpp.
bool gains_in_step(const ModuleEmitter& parent, const FunctionFacts& facts);

}  // namespace weft::translate
