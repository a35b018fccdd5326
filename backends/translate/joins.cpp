#include "backends/translate/joins.h"

#include <algorithm>
#include <map>

#include "backends/translate/dominators.h"
#include "backends/translate/structure.h"

namespace weft::translate {
namespace {

class Joins {
 public:
  Joins(Module& module, Function& function) : module_(module), function_(function) {}

  void declare() {
    const Structure structure(module_, function_);
    if (structure.meetings.empty()) return;
    const Dominators dominators(module_, function_);
    std::map<Id, std::vector<Id>> met_from;  // the branch whose paths join, and where
    for (const Id join : structure.meetings) {
      const Id header = dominators.immediate(join);
      if (function_.block(header).terminator().op == spv::OpBranchConditional) met_from[header].push_back(join);
    }
    std::vector<Block> blocks;
    for (Block& block : function_.blocks) {
      const auto met = met_from.find(block.label);
      blocks.push_back(std::move(block));
      if (met == met_from.end()) continue;
      // The selection that ends last encloses the others.
      std::ranges::sort(met->second, {}, [&](Id join) { return dominators.rank(join); });
      const Id before = met->first;
      for (const Id join : met->second) open_selection(blocks, join);
      moved_[before] = blocks.back().label;
    }
    function_.blocks = std::move(blocks);
    for (uint32_t b = 0; b < function_.blocks.size(); ++b) function_.block_index[function_.blocks[b].label] = b;
    rename_in_phis();
  }

 private:
  // Moves the last block's branch to a new block, which opens a selection that ends at `join`.
  void open_selection(std::vector<Block>& blocks, Id join) {
    Block inner;
    inner.label = ++module_.largest_id;
    inner.merge_op = spv::OpSelectionMerge;
    inner.merge = join;
    inner.code.push_back(std::move(blocks.back().code.back()));
    Instruction& last = blocks.back().code.back();
    last = {};
    last.line = inner.code.back().line;
    last.file = inner.code.back().file;
    last.op = spv::OpBranch;
    last.args = {inner.label};
    if (blocks.back().merge_op == spv::OpSelectionMerge) {  // needs a conditional branch
      last.op = spv::OpBranchConditional;
      last.args = {always(module_.type_of.at(inner.code.back().arg(0))), inner.label, inner.label};
    }
    blocks.push_back(std::move(inner));
  }

  Id always(Id type) {
    Instruction yes;
    yes.op = spv::OpConstantTrue;
    yes.type = type;
    yes.result = ++module_.largest_id;
    module_.type_of[yes.result] = type;
    module_.constants.push_back(yes);
    return yes.result;
  }

  void rename_in_phis() {
    for (Block& block : function_.blocks) {
      for (Instruction& phi : block.code) {
        if (phi.op != spv::OpPhi) break;
        for (size_t k = 1; k < phi.args.size(); k += 2) {
          const auto moved = moved_.find(phi.args[k]);
          if (moved != moved_.end()) phi.args[k] = moved->second;
        }
      }
    }
  }

  Module& module_;
  Function& function_;
  std::map<Id, Id> moved_;  // the original block of a branch, and its present one
};

}  // namespace

void declare_joins(Module& module) {
  for (Function& function : module.functions) {
    if (!function.blocks.empty()) Joins(module, function).declare();
  }
}

}  // namespace weft::translate
