#include <algorithm>

#include "backends/translate/fresh_variables.h"
#include "backends/translate/rules.h"

// The values and variables of a function that runs once for a subgroup, by the loop over lanes that they belong to.
// Values that outlive their loop are arrays with an element for each lane.
namespace weft::translate {

/// Where code is: in a loop over lanes, or outside of such loops.
struct FunctionEmitter::Home {
  int region = 0;  ///< Blocks, and the parts of one between statements of the subgroup, count up from 1. Others: -1.
  int root = -1;   ///< The construct that each lane runs alone, whose blocks are all in one loop; -1 for none.

  bool operator==(const Home&) const = default;
  bool sees(const Home& other) const { return root >= 0 ? root == other.root : *this == other; }
  bool is_in_loop() const { return region > 0; }
};

struct FunctionEmitter::LaneUses {
  std::unordered_map<Id, Home> defined, ends;          // of values; of blocks
  std::vector<std::pair<Id, Home>> uses;               // of values, and of variables through pointers
  std::unordered_map<Id, std::vector<Home>> accesses;  // of variables

  static constexpr Home group{-1, -1};
};

// What uses a uniform array outside of loops over lanes ends the open loop, which can make more arrays.
void FunctionEmitter::find_arrays() {
  for (size_t found = 1, before = 0; found != before;) {
    before = arrays_.size();
    LaneUses lanes = uses_by_loop();
    keep_phis(lanes);
    keep_values(lanes);
    found = arrays_.size();
    find_variables_of_loops(lanes);
  }
  for (const Instruction& parameter : function_.parameters) {
    const Type& type = type_of(parameter.result);
    const bool is_value = type.kind != Kind::pointer || Types::is_byte_addressed(type.storage);
    if (is_value && is_divergent(parameter.result)) arrays_.insert(parameter.result);
  }
}

FunctionEmitter::LaneUses FunctionEmitter::uses_by_loop() {
  LaneUses lanes;
  int region = 0;
  for (const Block& block : function_.blocks) {
    const auto found = structure_.construct_of.find(block.label);
    if (found == structure_.construct_of.end()) continue;
    inside_ = found->second;
    ++region;
    for (const Instruction& i : block.code) {
      const Home here{region, lane_root_[inside_]};
      if (i.op == spv::OpPhi) {
        lanes.defined[i.result] = here;
        continue;
      }
      const bool is_last = &i == &block.code.back();
      const Level level = is_last ? Level::lanes : level_of(i);
      const bool is_shared = level == Level::group;
      for (const uint32_t word : i.args) lanes.uses.emplace_back(word, is_shared ? LaneUses::group : here);
      if (level == Level::lanes) lane_used_.insert(i.args.begin(), i.args.end());
      if (i.result != 0) lanes.defined[i.result] = is_shared ? Home{0, -1} : here;
      if (is_shared) ++region;
    }
    // Both sides of a branch have loops of their own.
    const bool goes_on = lane_root_[inside_] >= 0 || block.terminator().op == spv::OpBranch;
    lanes.ends[block.label] = goes_on ? Home{region, lane_root_[inside_]} : LaneUses::group;
  }
  return lanes;
}

void FunctionEmitter::keep_for_lanes(Id id) {
  arrays_.insert(id);
  hoisted_.insert(id);
}

bool FunctionEmitter::differs(Id id, const LaneUses& lanes) const {
  return is_divergent(id) || lanes.defined.at(id).root >= 0;
}

// A phi is written, and its operands are read, at the ends of the blocks that they come from.
void FunctionEmitter::keep_phis(LaneUses& lanes) {
  for (const Block& block : function_.blocks) {
    for (const Instruction& phi : block.code) {
      if (phi.op != spv::OpPhi || !lanes.defined.contains(phi.result)) break;
      for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
        const auto from = lanes.ends.find(phi.args[k + 1]);
        if (from == lanes.ends.end()) continue;
        lanes.uses.emplace_back(phi.args[k], from->second);
        if (differs(phi.result, lanes) && !lanes.defined.at(phi.result).sees(from->second)) keep_for_lanes(phi.result);
      }
    }
  }
}

void FunctionEmitter::keep_values(LaneUses& lanes) {
  for (size_t k = 0; k < lanes.uses.size(); ++k) {
    const auto [id, user] = lanes.uses[k];
    const auto found = definitions_.find(id);
    if (found == definitions_.end()) continue;
    const Instruction& definition = *found->second;
    if (definition.op == spv::OpVariable) {
      lanes.accesses[id].push_back(user);
      continue;
    }
    const auto home = lanes.defined.find(id);
    if (home == lanes.defined.end() || is_array(id)) continue;
    const Rule* rule = find_rule(definition.op);
    const bool is_chain = rule && rule->emit == &FunctionEmitter::access_chain;
    if (is_chain || definition.op == spv::OpCopyObject) {  // its operands are used where it is
      if (!(home->second == user)) {
        for (const uint32_t word : definition.args) lanes.uses.emplace_back(word, user);
      }
      if (is_chain) continue;
    }
    if (differs(id, lanes) && !home->second.sees(user)) keep_for_lanes(id);
  }
}

// Variables that are written as a whole before they are read, all in one loop: those of one lane at a time are enough.
void FunctionEmitter::find_variables_of_loops(LaneUses& lanes) {
  variables_of_loops_.clear();
  for (const auto& [id, construct] : fresh_variables(parent_.module, function_, structure_)) {
    const std::vector<Home>& homes = lanes.accesses[id];
    const auto is_in_one = [&](const Home& one) { return one.is_in_loop() && homes.front().sees(one); };
    if (is_divergent(id) && std::ranges::all_of(homes, is_in_one)) variables_of_loops_.insert(id);
  }
}

}  // namespace weft::translate
