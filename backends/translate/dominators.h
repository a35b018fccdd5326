#pragma once

#include <unordered_map>
#include <vector>

#include "backends/translate/module.h"

namespace weft::translate {

/// The dominator tree of a function (Cooper, Harvey and Kennedy 2001, A Simple, Fast Dominance Algorithm).
class Dominators {
 public:
  Dominators(const Module& module, const Function& function);

  bool reachable(Id label) const { return number_.contains(label); }
  // Of reachable blocks:
  bool dominates(Id label, Id other) const;
  /// The immediate dominator. That of the entry is the entry itself.
  Id immediate(Id label) const { return order_[above_[number_.at(label)]]; }
  /// Decreases along every branch except back edges of loops. The entry has the largest value.
  size_t rank(Id label) const { return number_.at(label); }

 private:
  static constexpr size_t none = ~size_t{0};

  void number_blocks(const Module& module, const Function& function);
  size_t meet(size_t a, size_t b) const;

  std::vector<Id> order_;
  std::unordered_map<Id, size_t> number_;
  std::vector<std::vector<size_t>> predecessors_;
  std::vector<size_t> above_;
};

}  // namespace weft::translate
