#pragma once

#include <vector>

#include "backends/translate/function_emitter.h"

namespace weft::translate {

using RuleFunction = void (FunctionEmitter::*)(const Instruction&, const Rule&);

/// How an instruction is translated.
struct Rule {
  spv::Op op;
  const char* group;
  RuleFunction emit;
  const char* text = "";    ///< The function of the prelude, mostly.
  const char* symbol = "";  ///< The operator of C++ where its types do as SPIR-V says.
};

bool is_subgroup_operation(spv::Op op);
const Rule* find_rule(spv::Op op);
const std::vector<Rule>& all_rules();
/// Instructions of GLSL.std.450; `op` holds their number.
const Rule* find_glsl_rule(uint32_t number);
const std::vector<Rule>& glsl_rules();

}  // namespace weft::translate
