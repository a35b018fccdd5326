#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/structure.h"

namespace weft::translate {

/// Where a function's values are defined and used.
class FunctionValues {
 public:
  FunctionValues(const Function& function, const Structure& structure);

  /// The instruction whose result it is; null for a parameter, and for what is outside of the function.
  const Instruction* definition(Id id) const;
  bool is_parameter(Id id) const { return parameters_.contains(id); }
  uint32_t uses(Id id) const;
  /// Whether it is declared at the function's top, because it is a phi or another block uses it.
  bool is_hoisted(Id id) const { return hoisted_.contains(id); }
  /// Whether it is computed between a loop's header and the branch that ends the loop.
  bool decides_loop(Id id) const { return decides_loop_.contains(id); }
  /// The variable, parameter or value that a pointer is derived from.
  Id base_of(Id pointer) const;
  const std::vector<Id>& phis() const { return phis_; }

 private:
  struct Use {
    Id value = 0, block = 0;
  };
  std::vector<Use> find_uses(const Function& function);
  void hoist(std::vector<Use> uses);

  struct Definition {
    const Instruction* instruction = nullptr;
    Id block = 0;
  };
  std::unordered_map<Id, Definition> definitions_;
  std::unordered_map<Id, uint32_t> use_count_;
  std::unordered_set<Id> parameters_, hoisted_, decides_loop_;
  std::vector<Id> phis_;
};

bool is_access_chain(spv::Op op);

}  // namespace weft::translate
