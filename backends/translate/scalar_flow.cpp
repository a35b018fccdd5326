#include "backends/translate/scalar_flow.h"

namespace weft::translate {

std::string ScalarFlow::head() {
  return prototype(expressions_.type_name(facts_.function.return_type, false), "self") + " {\n";
}

std::string ScalarFlow::ballot(const std::string& among, const std::string& condition, const Instruction& user) {
  return "weft_ballot_mask(self, " + among + ", " + condition + ", " + site(user) + ")";
}

// Whether the mask changes at a branch on this condition.
bool ScalarFlow::parts(int inside, Id condition) const {
  return facts_.masks.tracked(inside) && !parent_.is_uniform(condition);
}

// If lanes diverge and its contents depend on that, each side gets the mask of the lanes that take it.
void ScalarFlow::selection(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int opened = opened_by(block);
  const std::string id = std::to_string(block.label);
  const bool sets_mask = masked(opened) && construct(opened).acts;
  if (sets_mask) expressions_.settle(last.arg(0));  // used twice
  const std::string condition = expressions_.value(last.arg(0));
  if (masked(opened)) line("const weft_mask entry_" + id + " = mask;");
  if (!sets_mask) return plain_selection(block, work, condition, "", "");
  line("const weft_mask taken_" + id + " = " + ballot("mask", condition, last) + ";");
  plain_selection(block, work, condition, "mask = taken_" + id + ";",
                  "mask = weft_without(entry_" + id + ", taken_" + id + ");");
}

void ScalarFlow::conditional(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  // If no subgroup operation follows, lanes may have left without being removed from the mask.
  const bool sets_mask = parts(work.construct, last.arg(0)) && facts_.structure.acts_from(block.label);
  if (sets_mask) expressions_.settle(last.arg(0));  // used twice
  const std::string condition = expressions_.value(last.arg(0));
  const Id yes = last.arg(1), no = last.arg(2);
  if (sets_mask && yes != no && is_inside(work.construct, yes) && is_inside(work.construct, no)) {
    const std::string taken = "taken_" + std::to_string(block.label);
    line("const weft_mask " + taken + " = " + ballot("mask", condition, last) + ";");
    line("mask = " + condition + " ? " + taken + " : weft_without(mask, " + taken + ");");
  } else if (sets_mask && yes != no) {
    line("mask = " + ballot("mask", exit_of(block, work).when_true ? "!" + condition : condition, last) + ";");
  }
  plain_conditional(block, work, condition);
}

void ScalarFlow::masked_switch(const Block& block, const Work& work) {
  const std::string variable = case_variable(opened_by(block)), entry = "entry_" + std::to_string(block.label);
  line("const weft_mask " + entry + " = mask;");
  line("uint32_t " + variable + " = " + no_case(block) + ";");
  choose_case(block, variable, "exit_to");
  push_cases(block, work, [&](size_t index) -> CaseEntry {
    const std::string chosen = variable + " == " + std::to_string(index) + "u";
    return {ballot(entry, chosen, block.terminator()), chosen};
  });
}

void ScalarFlow::leave_at_header(const Block& header, Id last_label, bool leaves_when_true) {
  const Instruction& last = facts_.function.block(last_label).terminator();
  const bool sets_mask = parts(opened_by(header), last.arg(0));
  if (sets_mask) expressions_.settle(last.arg(0));  // used twice
  const std::string condition = expressions_.value(last.arg(0));
  if (sets_mask) line("mask = " + ballot("mask", leaves_when_true ? "!" + condition : condition, last) + ";");
  plain_exit(header, last_label, leaves_when_true, condition);
}

void ScalarFlow::return_(const Instruction& instruction, int from) {
  const bool has_value = instruction.op == spv::OpReturnValue;
  const int crossed = facts_.masks.below(from, 0);
  if (crossed < 0) {
    line(has_value ? "return " + expressions_.bare_value(instruction.arg(0)) + ";" : "return;");
    return;
  }
  if (has_value) {
    if (returned_.empty()) {
      returned_ = parent_.names.unique("returned");
      body_.declare(parent_.types.name(facts_.function.return_type), returned_);
    }
    line(returned_ + " = " + expressions_.bare_value(instruction.arg(0)) + ";");
  }
  jump_to_end(to_return, crossed);
}

void ScalarFlow::leave(Id target, int crossed) {
  cross(target, crossed);
  line("exit_to = " + exit_text(target) + ";");
}

void ScalarFlow::set_case(int switch_construct, size_t index) {
  line(case_variable(switch_construct) + " = " + std::to_string(index) + "u;");
}

void ScalarFlow::reconverge(int ended, const std::string& entered) {
  const Construct& one = construct(ended);
  if (!crossing_[ended].empty()) {
    line("mask = " + ballot(entered, "exit_to == 0u", facts_.function.block(one.header).terminator()) + ";");
  } else if (one.acts) {
    line("mask = " + entered + ";");
  }
  dispatch_exits(ended);
}

// Sends the lanes that left the construct on to their destinations further out.
void ScalarFlow::dispatch_exits(int ended) {
  const std::vector<Id> targets = crossing_[ended];
  const int outside = construct(ended).parent;
  int next = -1;
  for (const Id target : targets) {
    const bool returns = target == to_return;
    const Structure::Target to =
        returns ? Structure::Target{Structure::Target::Kind::end, 0} : facts_.structure.resolve(outside, target);
    const int crossed = facts_.masks.below(outside, to.construct);
    if (crossed >= 0 && !is_case_of(crossed, to.construct)) {
      cross(target, crossed);
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
  if (next >= 0) line("if (exit_to != 0u) " + body_.go_to(end_label(next)));
}

}  // namespace weft::translate
