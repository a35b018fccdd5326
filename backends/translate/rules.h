#pragma once

#include <string>
#include <vector>

#include "backends/translate/expression_emitter.h"

namespace weft::translate {

using RuleFunction = void (ExpressionEmitter::*)(const Instruction&, const Rule&);

/// The translation of an instruction.
struct Rule {
  spv::Op op;  ///< Of GLSL.std.450: the instruction's number.
  const char* group;
  RuleFunction emit;
  const char* text = "";     ///< Usually the prelude's function.
  const char* symbol = "";   ///< The C++ operator, for types on which it has SPIR-V's meaning.
  bool needs_lanes = false;  ///< A subgroup operation that takes the mask of active lanes.
  std::string name = instruction_name(op);
};

const Rule* find_rule(spv::Op op);
const std::vector<Rule>& all_rules();
/// Instructions of GLSL.std.450.
const Rule* find_glsl_rule(uint32_t number);
const std::vector<Rule>& glsl_rules();
bool needs_lanes(spv::Op op);

}  // namespace weft::translate
