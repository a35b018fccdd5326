#include "backends/translate/function_values.h"

namespace weft::translate {

bool is_access_chain(spv::Op op) {
  return op == spv::OpAccessChain || op == spv::OpInBoundsAccessChain || op == spv::OpPtrAccessChain ||
         op == spv::OpInBoundsPtrAccessChain;
}

FunctionValues::FunctionValues(const Function& function, const Structure& structure) {
  for (const Instruction& parameter : function.parameters) parameters_.insert(parameter.result);
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.result != 0) definitions_[i.result] = {&i, block.label};
    }
  }
  std::vector<Use> uses = find_uses(function);
  for (const Use& use : uses) ++use_count_[use.value];
  hoist(std::move(uses));
  for (const Block& header : function.blocks) {
    if (header.continue_target == 0) continue;
    for (const Id label : structure.way_out(header)) {
      for (const Instruction& i : function.block(label).code) decides_loop_.insert(i.result);
    }
  }
}

// A phi uses its operands in the blocks that they come from.
std::vector<FunctionValues::Use> FunctionValues::find_uses(const Function& function) {
  std::vector<Use> uses;
  for (const Block& block : function.blocks) {
    for (const Instruction& i : block.code) {
      if (i.op == spv::OpPhi) {
        hoisted_.insert(i.result);
        phis_.push_back(i.result);
        for (size_t k = 0; k + 1 < i.args.size(); k += 2) uses.push_back({i.args[k], i.args[k + 1]});
      } else {
        for (const uint32_t word : i.args) uses.push_back({word, block.label});
      }
    }
  }
  return uses;
}

// The lvalue of a pointer is emitted at its uses, so its operands count as used there.
void FunctionValues::hoist(std::vector<Use> uses) {
  std::unordered_set<Id> written_out_elsewhere;
  while (!uses.empty()) {
    const auto [id, label] = uses.back();
    uses.pop_back();
    const auto found = definitions_.find(id);
    if (found == definitions_.end() || found->second.block == label) continue;
    const Instruction& definition = *found->second.instruction;
    if (is_access_chain(definition.op) || definition.op == spv::OpCopyObject) {
      if (!written_out_elsewhere.insert(id).second) continue;
      for (const uint32_t word : definition.args) uses.push_back({word, label});
    }
    hoisted_.insert(id);
  }
}

const Instruction* FunctionValues::definition(Id id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : found->second.instruction;
}

uint32_t FunctionValues::uses(Id id) const {
  const auto found = use_count_.find(id);
  return found == use_count_.end() ? 0 : found->second;
}

Id FunctionValues::base_of(Id pointer) const {
  for (;;) {
    const Instruction* i = definition(pointer);
    if (!i || !(is_access_chain(i->op) || i->op == spv::OpCopyObject)) return pointer;
    pointer = i->arg(0);
  }
}

}  // namespace weft::translate
