#include "backends/translate/structure.h"

#include <algorithm>
#include <unordered_set>

#include <weft/error.h>

namespace weft::translate {

std::vector<SwitchCase> switch_cases(const Instruction& instruction, const Module& module) {
  const bool wide = module.type_of_value(instruction.arg(0)).width > 32;
  std::vector<SwitchCase> cases;
  for (size_t k = 2; k + (wide ? 2 : 1) < instruction.args.size(); k += wide ? 3 : 2) {
    uint64_t literal = instruction.args[k];
    if (wide) literal |= uint64_t{instruction.args[k + 1]} << 32;
    cases.push_back({literal, instruction.args[k + (wide ? 2 : 1)]});
  }
  return cases;
}

std::vector<Id> successors(const Block& block, const Module& module) {
  const Instruction& last = block.terminator();
  std::vector<Id> targets;
  const auto add = [&](Id label) {
    if (std::ranges::find(targets, label) == targets.end()) targets.push_back(label);
  };
  if (last.op == spv::OpBranch) {
    add(last.arg(0));
  } else if (last.op == spv::OpBranchConditional) {
    add(last.arg(1));
    add(last.arg(2));
  } else if (last.op == spv::OpSwitch) {
    for (const SwitchCase& c : switch_cases(last, module)) add(c.target);
    add(last.arg(1));
  }
  return targets;
}

Structure::Structure(const Module& module, const Function& function) : module_(module), function_(function) {
  if (function.blocks.empty()) refuse("a call of a function without a body");
  for (const Block& block : function.blocks) {
    for (const Id target : successors(block, module)) ++entered_[target];
  }
  add(Construct::Kind::function, -1, function.blocks.front().label, 0);
  open_.emplace_back(function.blocks.front().label, 0);
  walk();
}

int Structure::add(Construct::Kind kind, int parent, Id header, Id end) {
  Construct construct;
  construct.kind = kind;
  construct.parent = parent;
  construct.header = header;
  construct.end = end;
  constructs.push_back(construct);
  const int added = static_cast<int>(constructs.size()) - 1;
  if (end != 0 && kind != Construct::Kind::switch_case) ends_[end].push_back(added);
  if (parent < 0) {
    links_.push_back({0, added});
  } else {  // as long as the two previous steps together, if these are equally long
    const int far = links_[parent].far, farther = links_[far].far;
    const bool doubles = depth(parent) - depth(far) == depth(far) - depth(farther);
    links_.push_back({depth(parent) + 1, doubles ? farther : parent});
  }
  return added;
}

void Structure::walk() {
  while (!open_.empty()) {
    const auto [label, outer] = open_.back();
    open_.pop_back();
    if (construct_of.contains(label)) {
      meetings.insert(label);
      continue;
    }
    const Block& block = function_.block(label);
    int inside = outer;
    if (block.merge_op == spv::OpLoopMerge) {
      const int loop = add(Construct::Kind::loop, outer, label, block.merge);
      opened_by[label] = loop;
      open_merge(block.merge, outer);
      const int body = add(Construct::Kind::loop_body, loop, label, block.continue_target);
      body_of[loop] = body;
      const int rest = add(Construct::Kind::loop_continue, loop, label, label);
      constructs[rest].entry = block.continue_target;
      continue_of[loop] = rest;
      if (block.continue_target != label) open_.emplace_back(block.continue_target, rest);
      inside = body;
    }
    construct_of[label] = inside;
    if (block.merge_op == spv::OpSelectionMerge) {
      if (block.terminator().op == spv::OpSwitch) {
        open_switch(block, inside);
        open_merge(block.merge, inside);
        continue;
      }
      const int selection = add(Construct::Kind::selection, inside, label, block.merge);
      opened_by[label] = selection;
      open_merge(block.merge, inside);
      inside = selection;
    } else if (block.terminator().op == spv::OpSwitch) {
      refuse("an OpSwitch without OpSelectionMerge");
    }
    for (const Id target : successors(block, module_)) {
      if (resolve(inside, target).kind == Target::Kind::inside) open_.emplace_back(target, inside);
    }
  }
}

// A merge block that also ends an enclosing construct belongs to the latter.
void Structure::open_merge(Id merge, int outer) {
  if (resolve(outer, merge).kind == Target::Kind::inside) open_.emplace_back(merge, outer);
}

void Structure::open_switch(const Block& header, int parent) {
  const int construct = add(Construct::Kind::switch_, parent, header.label, header.merge);
  opened_by[header.label] = construct;
  cases[construct];
  const std::vector<Id> order = ordered_cases(header, construct);
  std::vector<int> made;
  for (size_t k = 0; k < order.size(); ++k) {
    const int c = add(Construct::Kind::switch_case, construct, header.label, header.merge);
    constructs[c].entry = order[k];
    constructs[c].next_case = k + 1 < order.size() ? order[k + 1] : 0;
    case_entries_[order[k]].push_back(c);
    if (constructs[c].next_case != 0) ends_[constructs[c].next_case].push_back(c);
    made.push_back(c);
  }
  cases[construct] = made;
  for (const int c : made) open_.emplace_back(constructs[c].entry, c);
}

// Cases in order of their literals, each followed by the case that it falls through to.
std::vector<Id> Structure::ordered_cases(const Block& header, int switch_construct) const {
  std::vector<Id> targets;
  for (const Id target : successors(header, module_)) {
    if (resolve(switch_construct, target).kind == Target::Kind::inside) targets.push_back(target);
  }
  if (std::ranges::all_of(targets, [&](Id target) { return entered_.at(target) == 1; })) return targets;
  const auto is_case = [&](Id label) { return std::ranges::find(targets, label) != targets.end(); };
  std::unordered_map<Id, Id> falls_to;
  std::unordered_set<Id> fallen_to;
  for (const Id first : targets) {
    std::vector<Id> open{first};
    std::unordered_set<Id> seen{first};
    while (!open.empty()) {
      const Block& block = function_.block(open.back());
      open.pop_back();
      std::vector<Id> next = successors(block, module_);
      if (block.merge != 0) next.push_back(block.merge);
      if (block.continue_target != 0) next.push_back(block.continue_target);
      for (const Id label : next) {
        if (label != first && is_case(label)) {
          if (falls_to.contains(first) && falls_to[first] != label) refuse("a switch case that falls into two others");
          falls_to[first] = label;
          fallen_to.insert(label);
        } else if (resolve(switch_construct, label).kind == Target::Kind::inside && seen.insert(label).second) {
          open.push_back(label);
        }
      }
    }
  }
  std::vector<Id> order;
  for (const Id head : targets) {
    if (fallen_to.contains(head)) continue;
    for (Id label = head; label != 0; label = falls_to.contains(label) ? falls_to[label] : 0) order.push_back(label);
  }
  if (order.size() != targets.size()) refuse("switch cases that fall through in a circle");
  return order;
}

Structure::Target Structure::resolve(int from, Id label) const {
  using K = Construct::Kind;
  const auto found = ends_.find(label);
  if (found == ends_.end()) return {};
  int innermost = -1;
  for (const int c : found->second) {
    if (lies_in(from, c) && (innermost < 0 || depth(c) > depth(innermost))) innermost = c;
  }
  if (innermost < 0) return {};
  switch (constructs[innermost].kind) {
    case K::switch_case:
      return {Target::Kind::next_case, innermost};
    case K::loop_continue:
      return {Target::Kind::back_edge, innermost};
    default:
      return {Target::Kind::end, innermost};
  }
}

bool Structure::lies_in(int construct, int other) const {
  while (depth(construct) > depth(other)) {
    const int far = links_[construct].far;
    construct = depth(far) >= depth(other) ? far : constructs[construct].parent;
  }
  return construct == other;
}

int Structure::common(int one, int other) const {
  while (!lies_in(other, one)) {
    const int far = links_[one].far;
    one = lies_in(other, far) ? constructs[one].parent : far;
  }
  return one;
}

void Structure::refuse(const std::string& what) const {
  const auto name = module_.names.find(function_.id);
  throw Error(ErrorCode::unsupported,
              "'" + module_.name + "' cannot be translated: " + what + " in function " +
                  (name == module_.names.end() ? "%" + std::to_string(function_.id) : name->second) +
                  " is not supported.");
}

}  // namespace weft::translate
