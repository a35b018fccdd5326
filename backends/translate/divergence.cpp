#include <algorithm>

#include "backends/translate/structure.h"

// Finds where lanes diverge, and the consequences for enclosing constructs.
namespace weft::translate {

// The blocks from a loop's header to the conditional branch that ends the loop, if only unconditional branches are in
// between; otherwise empty.
std::vector<Id> Structure::way_out(const Block& header) const {
  if (header.merge_op != spv::OpLoopMerge || header.continue_target == header.label) return {};
  std::vector<Id> way{header.label};
  while (true) {
    const Block& block = function_.block(way.back());
    const Instruction& last = block.terminator();
    if (way.size() > 1 && block.merge != 0) return {};
    if (last.op == spv::OpBranchConditional) {
      const bool first = last.arg(1) == header.merge, second = last.arg(2) == header.merge;
      return first != second ? way : std::vector<Id>{};
    }
    const bool goes_on = last.op == spv::OpBranch && last.arg(0) != header.merge &&
                         last.arg(0) != header.continue_target && last.arg(0) != header.label;
    if (!goes_on || std::ranges::find(way, last.arg(0)) != way.end()) return {};
    way.push_back(last.arg(0));
  }
}

void Structure::find_divergence(const IsUniform& is_uniform, const Acts& acts_here) {
  for (Construct& c : constructs) c.acts = c.escapes = c.parts = c.parts_at_header = c.leaves_apart = false;
  std::vector<Id> acting;
  for (const auto& [label, inside] : construct_of) {
    const Block& block = function_.block(label);
    bool acts = false;
    for (const Instruction& i : block.code) {
      acts = acts || acts_here(i);
    }
    if (acts) acting.push_back(label);
    const Instruction& last = block.terminator();
    const bool parts = (last.op == spv::OpBranchConditional || last.op == spv::OpSwitch) && !is_uniform(last.arg(0));
    const auto opened = opened_by.find(label);
    const bool opens_selection = opened != opened_by.end() && block.merge_op == spv::OpSelectionMerge;
    if (opens_selection) constructs[opened->second].parts_at_header = parts;
    Construct& parted = constructs[opens_selection ? opened->second : inside];
    parted.parts = parted.parts || parts;
    constructs[inside].acts = constructs[inside].acts || acts;
  }
  pass_on_outwards();
  find_what_acts_later(acting);
  for (Construct& c : constructs) {  // an iteration has the properties of its loop
    if (c.kind == Construct::Kind::loop_body || c.kind == Construct::Kind::loop_continue) {
      c.acts = constructs[c.parent].acts;
    }
    if (c.kind == Construct::Kind::switch_case) c.parts_at_header = constructs[c.parent].parts_at_header;
  }
  // Lanes that leave a construct at different times also leave enclosing ones at different times.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [label, inside] : construct_of) {
      changed = find_exits(function_.block(label), inside, is_uniform) || changed;
    }
  }
  count_apart();
}

// The contents of a construct are also in its enclosing constructs, which precede it in the list.
void Structure::pass_on_outwards() {
  for (size_t k = constructs.size(); k-- > 1;) {
    Construct& around = constructs[constructs[k].parent];
    around.parts = around.parts || constructs[k].parts;
    around.acts = around.acts || constructs[k].acts;
  }
}

void Structure::count_apart() {
  apart_.clear();
  for (const Construct& c : constructs) {
    const uint32_t around = c.parent < 0 ? 0 : apart_[c.parent];
    apart_.push_back(around + (c.parts_at_header || c.leaves_apart ? 1 : 0));
  }
}

bool Structure::needs_mask(int construct) const {
  using K = Construct::Kind;
  const Construct& one = constructs[construct];
  if (construct == 0 || one.kind == K::loop_continue) return false;
  return one.parts_at_header || (one.leaves_apart && one.kind != K::switch_case);
}

// A selection that lanes leave early, by `continue` say, needs a mask even if it has no subgroup operation, unless each
// lane runs the loop around it alone.
void Structure::let_lanes_run_alone() {
  using K = Construct::Kind;
  std::vector<bool> wanted(constructs.size(), false);
  for (size_t k = constructs.size(); k-- > 1;) {  // a construct follows the one around it
    Construct& c = constructs[k];
    if (c.acts || !(wanted[k] || needs_mask(static_cast<int>(k)))) continue;
    const bool opens = c.kind == K::selection || c.kind == K::switch_ || c.kind == K::loop;
    if (opens && !c.escapes)
      c.leaves_apart = c.leaves_apart || wanted[k];
    else
      wanted[c.parent] = true;
  }
  count_apart();
}

void Structure::forget_returns() {
  constructs[0].leaves_apart = false;
  count_apart();
}

void Structure::find_what_acts_later(const std::vector<Id>& acting) {
  std::unordered_map<Id, std::vector<Id>> predecessors;
  for (const auto& [label, inside] : construct_of) {
    for (const Id target : successors(function_.block(label), module_)) predecessors[target].push_back(label);
  }
  leads_to_acting_ = {acting.begin(), acting.end()};
  for (std::vector<Id> open = acting; !open.empty();) {
    const Id label = open.back();
    open.pop_back();
    for (const Id from : predecessors[label]) {
      if (leads_to_acting_.insert(from).second) open.push_back(from);
    }
  }
  for (Construct& c : constructs) c.acts_later = leads_to_acting_.contains(c.header);
}

// Marks the constructs that the block's terminator leaves early. Returns whether any is newly marked.
bool Structure::find_exits(const Block& block, int inside, const IsUniform& is_uniform) {
  using K = Construct::Kind;
  const Instruction& last = block.terminator();
  const bool opens_selection = block.merge_op == spv::OpSelectionMerge;
  const int from = opens_selection ? opened_by.at(block.label) : inside;
  const bool parts = !opens_selection && last.op == spv::OpBranchConditional && !is_uniform(last.arg(0));
  std::vector<int> owners;
  if (last.op == spv::OpReturn || last.op == spv::OpReturnValue) owners.push_back(0);
  for (const Id target : successors(block, module_)) {
    const Target to = resolve(from, target);
    if (to.kind == Target::Kind::end) owners.push_back(to.construct);
  }
  bool changed = false;
  for (const int owner : owners) {
    bool apart = parts;
    bool at_header = false;  // before the part that the end of an iteration closes
    if (constructs[owner].kind == K::loop && last.op == spv::OpBranchConditional) {
      const std::vector<Id> way = way_out(function_.block(constructs[owner].header));
      at_header = !way.empty() && way.back() == block.label;
    }
    for (int c = from; c >= 0; c = constructs[c].parent) {
      Construct& construct = constructs[c];
      const bool before_body = construct.kind == K::loop_body && at_header;
      // Lanes that left it earlier are absent when this branch leaves it.
      apart = apart || construct.parts_at_header || (c != owner && !before_body && construct.leaves_apart);
      const bool leaves_early =
          c != owner && !before_body && !(construct.kind == K::switch_case && construct.parent == owner);
      if (leaves_early) construct.escapes = true;
      if (apart && !before_body && !construct.leaves_apart) changed = construct.leaves_apart = true;
      if (c == owner) break;
    }
  }
  return changed;
}

// Whether some lanes that entered the function, or construct `within`, may be absent here or may have been here at
// another time.
bool Structure::is_apart(Id label, int within) const {
  const auto found = construct_of.find(label);
  if (found == construct_of.end()) return true;
  return apart_[found->second] > (within < 0 ? 0 : apart_[within]);
}

bool Structure::lanes_join_at(Id label) const {
  const auto any_of = [&](const std::unordered_map<Id, std::vector<int>>& those, auto joins) {
    const auto found = those.find(label);
    return found != those.end() && std::ranges::any_of(found->second, [&](int c) { return joins(constructs[c]); });
  };
  return any_of(ends_,
                [&](const Construct& c) {
                  const bool ends_here = c.end == label && c.kind != Construct::Kind::loop_continue;
                  return ends_here && (c.parts || c.parts_at_header || c.leaves_apart);
                }) ||
         any_of(case_entries_, [](const Construct& c) { return c.parts_at_header; });
}

}  // namespace weft::translate
