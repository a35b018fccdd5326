#include "backends/translate/lane_values.h"

#include <algorithm>

#include "backends/translate/fresh_variables.h"

// The values and variables of a function that runs once for a subgroup, by the loop over lanes that they belong to.
namespace weft::translate {

LaneValues::LaneValues(const ModuleEmitter& parent, const Function& function, const Structure& structure,
                       const FunctionValues& values, const Masks& masks, bool runs_once)
    : parent_(parent),
      function_(function),
      structure_(structure),
      values_(values),
      masks_(masks),
      runs_once_(runs_once) {
  if (runs_once && !parent.in_vectors()) find_arrays();
}

/// Where code is: in a loop over lanes, or outside of such loops.
struct LaneValues::Home {
  int region = 0;  ///< Blocks, and the parts of one between statements of the subgroup, count up from 1. Others: -1.
  int root = -1;   ///< The construct that each lane runs alone, whose blocks are all in one loop; -1 for none.

  bool operator==(const Home&) const = default;
  bool sees(const Home& other) const { return root >= 0 ? root == other.root : *this == other; }
  bool is_in_loop() const { return region > 0; }
};

struct LaneValues::Uses {
  std::unordered_map<Id, Home> defined, ends;          // of values; of blocks
  std::vector<std::pair<Id, Home>> of_values;          // of values, and of variables through pointers
  std::unordered_map<Id, std::vector<Home>> accesses;  // of variables

  static constexpr Home group{-1, -1};
};

// What uses a uniform array outside of loops over lanes ends the open loop, which can make more arrays.
void LaneValues::find_arrays() {
  for (size_t found = 1, before = 0; found != before;) {
    before = arrays_.size();
    Uses uses = uses_by_loop();
    keep_phis(uses);
    keep_values(uses);
    found = arrays_.size();
    find_variables_of_loops(uses);
  }
  for (const Instruction& parameter : function_.parameters) {
    const Type& type = parent_.module.type_of_value(parameter.result);
    const bool is_value = type.kind != Kind::pointer || Types::is_byte_addressed(type.storage);
    if (is_value && is_per_lane(parameter.result)) arrays_.insert(parameter.result);
  }
}

LaneValues::Uses LaneValues::uses_by_loop() {
  Uses uses;
  int region = 0;
  for (const Block& block : function_.blocks) {
    const auto found = structure_.construct_of.find(block.label);
    if (found == structure_.construct_of.end()) continue;
    const int inside = found->second;
    ++region;
    for (const Instruction& i : block.code) {
      const Home here{region, masks_.lane_root(inside)};
      if (i.op == spv::OpPhi) {
        uses.defined[i.result] = here;
        continue;
      }
      const bool is_last = &i == &block.code.back();
      const Level level = is_last ? Level::lanes : level_of(i, inside);
      const bool is_shared = level == Level::group;
      for (const uint32_t word : i.args) uses.of_values.emplace_back(word, is_shared ? Uses::group : here);
      if (level == Level::lanes) used_by_lanes_.insert(i.args.begin(), i.args.end());
      if (i.result != 0) uses.defined[i.result] = is_shared ? Home{0, -1} : here;
      if (is_shared) ++region;
    }
    // Both sides of a branch have loops of their own.
    const bool goes_on = masks_.lane_root(inside) >= 0 || block.terminator().op == spv::OpBranch;
    uses.ends[block.label] = goes_on ? Home{region, masks_.lane_root(inside)} : Uses::group;
  }
  return uses;
}

bool LaneValues::differs(Id id, const Uses& uses) const { return is_per_lane(id) || uses.defined.at(id).root >= 0; }

// A phi is written, and its operands are read, at the ends of the blocks that they come from.
void LaneValues::keep_phis(Uses& uses) {
  for (const Block& block : function_.blocks) {
    for (const Instruction& phi : block.code) {
      if (phi.op != spv::OpPhi || !uses.defined.contains(phi.result)) break;
      for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
        const auto from = uses.ends.find(phi.args[k + 1]);
        if (from == uses.ends.end()) continue;
        uses.of_values.emplace_back(phi.args[k], from->second);
        if (differs(phi.result, uses) && !uses.defined.at(phi.result).sees(from->second)) arrays_.insert(phi.result);
      }
    }
  }
}

void LaneValues::keep_values(Uses& uses) {
  for (size_t k = 0; k < uses.of_values.size(); ++k) {
    const auto [id, user] = uses.of_values[k];
    const Instruction* definition = values_.definition(id);
    if (!definition) continue;
    if (definition->op == spv::OpVariable) {
      uses.accesses[id].push_back(user);
      continue;
    }
    const auto home = uses.defined.find(id);
    if (home == uses.defined.end() || is_array(id)) continue;
    const bool is_chain = is_access_chain(definition->op);
    if (is_chain || definition->op == spv::OpCopyObject) {  // its operands are used where it is
      if (!(home->second == user)) {
        for (const uint32_t word : definition->args) uses.of_values.emplace_back(word, user);
      }
      if (is_chain) continue;
    }
    if (differs(id, uses) && !home->second.sees(user)) arrays_.insert(id);
  }
}

// Variables that are written as a whole before they are read, all in one loop: those of one lane at a time are enough.
void LaneValues::find_variables_of_loops(Uses& uses) {
  of_loops_.clear();
  for (const auto& [id, construct] : fresh_variables(parent_.module, function_, structure_)) {
    const std::vector<Home>& homes = uses.accesses[id];
    const auto is_in_one = [&](const Home& one) { return one.is_in_loop() && homes.front().sees(one); };
    if (is_per_lane(id) && std::ranges::all_of(homes, is_in_one)) of_loops_.insert(id);
  }
}

}  // namespace weft::translate
