#pragma once

#include <vector>

#include "backends/translate/function_emitter.h"

namespace weft::translate {

using RuleFunction = void (FunctionEmitter::*)(const Instruction&, const Rule&);

/// The translation of an instruction.
struct Rule {
  spv::Op op;
  const char* group;
  RuleFunction emit;
  const char* text = "";    ///< Usually the prelude's function.
  const char* symbol = "";  ///< The C++ operator, for types on which it has SPIR-V's meaning.
};

bool is_subgroup_operation(spv::Op op);
const Rule* find_rule(spv::Op op);
const std::vector<Rule>& all_rules();
/// Instructions of GLSL.std.450. `op` is their number.
const Rule* find_glsl_rule(uint32_t number);
const std::vector<Rule>& glsl_rules();

}  // namespace weft::translate
