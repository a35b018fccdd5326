#include "backends/translate/dominators.h"

#include "backends/translate/structure.h"

namespace weft::translate {

Dominators::Dominators(const Module& module, const Function& function) {
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

bool Dominators::dominates(Id label, Id other) const {
  const size_t wanted = number_.at(label);
  size_t b = number_.at(other);
  while (b < wanted) b = above_[b];
  return b == wanted;
}

// In depth-first postorder, so the entry comes last.
void Dominators::number_blocks(const Module& module, const Function& function) {
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

size_t Dominators::meet(size_t a, size_t b) const {
  while (a != b) {
    while (a < b) a = above_[a];
    while (b < a) b = above_[b];
  }
  return a;
}

}  // namespace weft::translate
