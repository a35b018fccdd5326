#include <algorithm>

#include "backends/translate/function_emitter.h"

// Branches that leave constructs. Lanes that leave a masked construct first jump to its end, where they are removed
// from the mask: `exit_to` holds their destination.
namespace weft::translate {

std::string FunctionEmitter::end_label(int construct) {
  const Construct& c = structure_.constructs[construct];
  const std::string id = std::to_string(c.header);
  switch (c.kind) {
    case Construct::Kind::loop_body:
      return "continue_" + id;
    case Construct::Kind::switch_case:
      return "case_" + std::to_string(c.entry) + "_of_" + id;
    case Construct::Kind::selection:
      return parts_lanes(construct) && !second_arm_.contains(construct) ? "else_" + id : "merge_" + id;
    default:
      return "merge_" + id;
  }
}

std::string FunctionEmitter::case_variable(int switch_construct) const {
  return "case_" + std::to_string(structure_.constructs[switch_construct].header);
}

std::string FunctionEmitter::exit_text(Id target) {
  return target == to_return ? "WEFT_TO_RETURN" : std::to_string(target) + "u";
}

// A branch from a case to the merge block of its switch is not an exit: the end of the case leads there.
bool FunctionEmitter::is_case_of(int construct, int switch_construct) const {
  return construct >= 0 && structure_.constructs[construct].kind == Construct::Kind::switch_case &&
         structure_.constructs[construct].parent == switch_construct;
}

void FunctionEmitter::jump(Id target, int from, Id natural) {
  const Structure::Target to = structure_.resolve(from, target);
  if (target == natural && to.kind != Structure::Target::Kind::next_case) return;
  const int crossed = masked_below(from, to.construct);
  if (is_case_of(crossed, to.construct)) {
    line("goto " + end_label(crossed) + ";");
    used_labels_.insert(end_label(crossed));
  } else if (crossed >= 0) {
    jump_to_end(target, crossed);
  } else if (target != natural || to.kind == Structure::Target::Kind::next_case) {
    direct_jump(target, from, to);
  }
}

// Leaves the masked construct `crossed` on the path to `target`.
void FunctionEmitter::jump_to_end(Id target, int crossed) {
  uses_exit_ = true;
  auto& targets = crossing_[crossed];
  if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  line(for_subgroup_ ? "weft_leave(exit_to, mask, " + exit_text(target) + ");"
                     : "exit_to = " + exit_text(target) + ";");
  line("goto " + end_label(crossed) + ";");
  used_labels_.insert(end_label(crossed));
}

void FunctionEmitter::direct_jump(Id target, int from, const Structure::Target& to) {
  using K = Construct::Kind;
  const auto go = [&](const std::string& label) {
    line("goto " + label + ";");
    used_labels_.insert(label);
  };
  if (to.kind == Structure::Target::Kind::next_case) {
    const int switch_construct = structure_.constructs[to.construct].parent;
    if (!masked_cases(switch_construct)) {
      go("case_" + std::to_string(target) + "_start");
      return;
    }
    const auto& cases = structure_.cases.at(switch_construct);
    const auto at = std::ranges::find(cases, to.construct) - cases.begin();
    const std::string variable = case_variable(switch_construct), next = std::to_string(at + 1) + "u";
    line(for_subgroup_ ? "weft_assign(" + variable + ", mask, " + next + ");" : variable + " = " + next + ";");
    go(end_label(to.construct));
    return;
  }
  // The constructs that C++'s break and continue leave.
  bool in_switch = false;
  int loop = -1;
  for (int c = from; c >= 0 && c != to.construct; c = structure_.constructs[c].parent) {
    const Construct& construct = structure_.constructs[c];
    if (construct.kind == K::switch_case && !masked_cases(construct.parent) && construct.parent != to.construct)
      in_switch = true;
    if (construct.kind == K::loop && c != to.construct) loop = c;
  }
  if (to.kind == Structure::Target::Kind::back_edge) {
    if (loop < 0)
      line("continue;");
    else
      parent_.refuse(function_.block(target).terminator(), "is the target of a back edge from inside another loop");
    return;
  }
  const K kind = structure_.constructs[to.construct].kind;
  const bool can_break = loop < 0 && !in_switch && (kind == K::loop || kind == K::switch_);
  if (can_break)
    line("break;");
  else
    go(end_label(to.construct));
}

void FunctionEmitter::return_(const Instruction& instruction, int from) {
  if (for_subgroup_) return return_of_lanes(instruction, from);
  const bool has_value = instruction.op == spv::OpReturnValue;
  const int crossed = masked_below(from, 0);
  if (crossed < 0) {
    line(has_value ? "return " + without_parentheses(value(instruction.arg(0))) + ";" : "return;");
    return;
  }
  if (has_value) {
    if (returned_.empty()) {
      returned_ = parent_.names.unique("returned");
      variable_lines_.push_back(parent_.types.name(function_.return_type) + " " + returned_ + ";");
    }
    line(returned_ + " = " + without_parentheses(value(instruction.arg(0))) + ";");
  }
  jump_to_end(to_return, crossed);
}

// At the end of a masked construct: sends the lanes that left it on to their destinations further out.
void FunctionEmitter::dispatch_exits(int construct) {
  const std::vector<Id> targets = crossing_[construct];
  const int outside = structure_.constructs[construct].parent;
  int next = -1;
  for (const Id target : targets) {
    const bool returns = target == to_return;
    const Structure::Target to =
        returns ? Structure::Target{Structure::Target::Kind::end, 0} : structure_.resolve(outside, target);
    const int crossed = masked_below(outside, to.construct);
    if (crossed >= 0 && !is_case_of(crossed, to.construct)) {
      auto& further = crossing_[crossed];
      if (std::ranges::find(further, target) == further.end()) further.push_back(target);
      next = crossed;
      continue;
    }
    line("if (exit_to == " + exit_text(target) + ") {");
    if (returns) {
      line("return" + (returned_.empty() ? "" : " " + returned_) + ";");
    } else {
      line("exit_to = 0u;");
      jump(target, outside, 0);
    }
    line("}");
  }
  if (next >= 0) {
    line("if (exit_to != 0u) goto " + end_label(next) + ";");
    used_labels_.insert(end_label(next));
  }
}

}  // namespace weft::translate
