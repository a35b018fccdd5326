#include "backends/translate/fresh_variables.h"

#include <algorithm>

#include "backends/translate/dominators.h"

namespace weft::translate {
namespace {

struct Uses {
  bool begin_with_store = false;
  std::vector<Id> blocks;  // in function order, in which dominators come first
};

int common_construct(const Structure& structure, const std::vector<Id>& blocks) {
  int shared = structure.construct_of.at(blocks.front());
  for (const Id label : blocks) shared = structure.common(shared, structure.construct_of.at(label));
  return shared;
}

}  // namespace

std::unordered_map<Id, int> fresh_variables(const Module& module, const Function& function,
                                            const Structure& structure) {
  const Dominators dominators(module, function);
  std::unordered_map<Id, Uses> variables;
  for (const Block& block : function.blocks) {
    if (!dominators.reachable(block.label)) continue;
    for (const Instruction& i : block.code) {
      if (i.op == spv::OpVariable) {
        if (i.args.size() == 1)
          variables[i.result];  // others have an initializer, which writes at the function's entry
        continue;
      }
      for (const uint32_t word : i.args) {
        const auto found = variables.find(word);
        if (found == variables.end()) continue;
        Uses& uses = found->second;
        if (uses.blocks.empty()) uses.begin_with_store = i.op == spv::OpStore && i.arg(0) == word && i.arg(1) != word;
        if (uses.blocks.empty() || uses.blocks.back() != block.label) uses.blocks.push_back(block.label);
      }
    }
  }
  std::unordered_map<Id, int> fresh;
  for (const auto& [id, uses] : variables) {
    if (!uses.begin_with_store) continue;
    const auto first = [&, &u = uses](Id label) { return dominators.dominates(u.blocks.front(), label); };
    if (std::ranges::all_of(uses.blocks, first)) fresh[id] = common_construct(structure, uses.blocks);
  }
  return fresh;
}

}  // namespace weft::translate
