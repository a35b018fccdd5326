#include "backends/translate/fresh_variables.h"

#include <algorithm>

namespace weft::translate {
namespace {

// Which blocks every way to a block passes (Cooper, Harvey and Kennedy 2001, A Simple, Fast Dominance Algorithm).
class Dominators {
 public:
  Dominators(const Module& module, const Function& function) {
    number_blocks(module, function);
    above_.assign(order_.size(), none);
    if (order_.empty()) return;
    above_.back() = order_.size() - 1;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t b = order_.size() - 1; b-- > 0;) {
        size_t above = none;
        for (const size_t from : predecessors_[b]) {
          if (above_[from] != none) above = above == none ? from : meet(from, above);
        }
        if (above != above_[b]) {
          above_[b] = above;
          changed = true;
        }
      }
    }
  }

  bool reachable(Id label) const { return number_.contains(label); }
  /// Of reachable blocks.
  bool dominates(Id label, Id other) const {
    const size_t wanted = number_.at(label);
    size_t b = number_.at(other);
    while (b < wanted) b = above_[b];
    return b == wanted;
  }

 private:
  static constexpr size_t none = ~size_t{0};

  // By the time that a depth-first walk is done with them, so that the entry comes last.
  void number_blocks(const Module& module, const Function& function) {
    struct Open {
      Id label;
      std::vector<Id> next;
      size_t done = 0;
    };
    std::vector<Open> open;
    std::unordered_map<Id, bool> seen;
    const auto visit = [&](Id label) {
      if (!seen.try_emplace(label, true).second) return;
      open.push_back({label, successors(function.block(label), module)});
    };
    if (!function.blocks.empty()) visit(function.blocks.front().label);
    while (!open.empty()) {
      Open& last = open.back();
      if (last.done < last.next.size()) {
        visit(last.next[last.done++]);
      } else {
        number_[last.label] = order_.size();
        order_.push_back(last.label);
        open.pop_back();
      }
    }
    predecessors_.resize(order_.size());
    for (size_t b = 0; b < order_.size(); ++b) {
      for (const Id next : successors(function.block(order_[b]), module)) predecessors_[number_.at(next)].push_back(b);
    }
  }

  size_t meet(size_t a, size_t b) const {
    while (a != b) {
      while (a < b) a = above_[a];
      while (b < a) b = above_[b];
    }
    return a;
  }

  std::vector<Id> order_;
  std::unordered_map<Id, size_t> number_;
  std::vector<std::vector<size_t>> predecessors_;
  std::vector<size_t> above_;
};

struct Uses {
  bool begin_with_store = false;
  std::vector<Id> blocks;  // in the function's order, in which dominators come first
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
        if (i.args.size() == 1) variables[i.result];  // what has an initializer is written at the function's entry
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
