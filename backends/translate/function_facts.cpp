#include "backends/translate/function_facts.h"

namespace weft::translate {
namespace {

Structure with_divergence(const ModuleEmitter& parent, const Function& function, bool runs_once) {
  Structure structure(parent.module, function);
  structure.find_divergence([&](Id condition) { return parent.is_uniform(condition); },
                            [&](const Instruction& i) { return parent.in_vectors() || parent.acts(i); });
  if (runs_once) structure.let_lanes_run_alone();
  return structure;
}

}  // namespace

FunctionFacts::FunctionFacts(const ModuleEmitter& parent, const Function& code)
    : function(code),
      acts(parent.acts(code.id)),
      runs_once(acts && parent.target == Target::lanes),
      structure(with_divergence(parent, code, runs_once)),
      values(code, structure),
      masks(structure, acts, runs_once),
      lanes(parent, code, structure, values, masks, runs_once) {}

}  // namespace weft::translate
