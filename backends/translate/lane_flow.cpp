#include "backends/translate/lane_flow.h"

#include <algorithm>

namespace weft::translate {

LaneFlow::LaneFlow(ModuleEmitter& parent, const FunctionFacts& facts) : Flow(parent, facts) {
  if (!facts.lanes.is_per_lane(facts.function.id)) return;
  returned_ = parent.names.unique("returned");
  body_.declare(expressions_.type_name(facts.function.return_type, true), returned_);
}

std::string LaneFlow::head() {
  const bool returns_lanes = facts_.lanes.is_per_lane(facts_.function.id);
  const std::string returned =
      parent_.may_disagree() ? "bool" : expressions_.type_name(facts_.function.return_type, returns_lanes);
  return prototype(returned, "group") + " {\n  weft_self& self = group;\n";
}

// After an instruction that is not reached, a loop over the lanes may be open.
void LaneFlow::finish() {
  if (body_.is_loop_open()) line(return_text());
}

// Sets `mask` to the active lanes for which the condition holds.
void LaneFlow::vote(const std::string& mask, Id condition, bool negated) {
  parent_.parts_lanes = true;
  if (parent_.in_vectors()) {
    const std::string text = expressions_.value(condition);
    line("const weft_mask " + mask + " = weft_ballot_mask(mask, " +
         (negated ? "!" + text : ExpressionEmitter::without_parentheses(text)) + ");");
    return;
  }
  body_.level = Level::ahead;
  line("weft_lanes<bool> is_" + mask + ";");
  body_.level = Level::lanes;
  const std::string text = expressions_.value(condition);
  line("is_" + mask + "[lane] = " + (negated ? "!" + text : ExpressionEmitter::without_parentheses(text)) + ";");
  body_.level = Level::group;
  line("const weft_mask " + mask + " = weft_ballot_mask(mask, is_" + mask + ");");
}

// Computes the condition of all lanes, and ends where they differ. Returns the condition. See in_step.cpp.
std::string LaneFlow::agreement(Id label, Id condition) {
  const std::string name = "is_taken_" + std::to_string(label);
  body_.level = Level::ahead;
  line("weft_lanes<bool> " + name + ";");
  body_.level = Level::lanes;
  line(name + "[lane] = " + expressions_.bare_value(condition) + ";");
  body_.level = Level::group;
  line("if (!weft_agree(" + name + ")) return false;");
  return name + "[0]";
}

void LaneFlow::selection(const Block& block, const Work& work) {
  const int opened = opened_by(block);
  if (facts_.masks.parts_lanes(opened)) return parting_selection(block, work);
  enter(opened);
  const Id id = block.terminator().arg(0);
  const std::string condition = parent_.agree(id) ? agreement(block.label, id) : expressions_.value(id);
  if (masked(opened)) line("const weft_mask entry_" + std::to_string(block.label) + " = mask;");
  plain_selection(block, work, condition, "", "");
}

void LaneFlow::parting_selection(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int opened = opened_by(block);
  const std::string id = std::to_string(block.label);
  vote("taken_" + id, last.arg(0), false);
  line("const weft_mask entry_" + id + " = mask;");
  std::vector<Work> items;
  const auto add_arm = [&](const std::string& mask, Id target) {
    if (!mask.empty()) items.push_back(text(opened, "mask = " + mask + ";"));
    items.push_back(text(opened, mask.empty() || is_cheap(target, opened) ? "{" : "if (weft_any(mask)) {"));
    items.push_back(way(block.label, target, opened, block.merge));
    items.push_back(text(opened, "}"));
  };
  const Id yes = last.arg(1), no = last.arg(2);
  arms_[opened] = {leaves_at_once(yes, opened) ? "" : "taken_" + id,
                   yes != no && needs_text(block.label, no, block.merge)};
  if (leave_unconditionally(block, yes)) {
  } else if (yes == no)
    add_arm("", yes);
  else if (needs_text(block.label, yes, block.merge))
    add_arm("taken_" + id, yes);
  Work between;
  between.kind = Work::Kind::arm_end;
  between.construct = opened;
  items.push_back(between);
  if (yes != no && needs_text(block.label, no, block.merge))
    add_arm("weft_without(entry_" + id + ", taken_" + id + ")", no);
  items.push_back(end(opened, work.natural));
  push(items);
}

// In vectors: whether a side of a selection costs less than a branch that is predicted badly, and may run without
// lanes.
bool LaneFlow::is_cheap(Id target, int selection) const {
  constexpr size_t most = 12;
  if (!parent_.in_vectors()) return false;
  if (!is_inside(selection, target)) return target == construct(selection).end;
  const Block& side = facts_.function.block(target);
  const Instruction& last = side.terminator();
  if (side.merge != 0 || last.op != spv::OpBranch || last.arg(0) != construct(selection).end) return false;
  return side.code.size() <= most && std::ranges::all_of(side.code, [this](const Instruction& i) {
           switch (i.op) {
             case spv::OpLoad:
             case spv::OpStore: {
               const spv::StorageClass storage = expressions_.type_of(i.arg(0)).storage;
               return !Types::is_byte_addressed(storage) || storage == spv::StorageClassPushConstant;
             }
             case spv::OpExtInst:
             case spv::OpFunctionCall:
             case spv::OpArrayLength:
             case spv::OpFDiv:
             case spv::OpUDiv:
             case spv::OpSDiv:
             case spv::OpUMod:
             case spv::OpSMod:
             case spv::OpSRem:
             case spv::OpFMod:
             case spv::OpFRem:
               return false;
             default:
               return true;
           }
         });
}

// Whether lanes that take this side of a selection do nothing but leave for somewhere further out.
bool LaneFlow::leaves_at_once(Id target, int selection) const {
  const Id end = construct(selection).end;
  if (!is_inside(selection, target)) return target != end;
  const Block& side = facts_.function.block(target);
  const Instruction& last = side.terminator();
  if (side.code.size() != 1 || side.merge != 0) return false;
  return last.op == spv::OpReturn ||
         (last.op == spv::OpBranch && last.arg(0) != end && !is_inside(selection, last.arg(0)));
}

// In vectors, for a first side that lanes leave at once: the lanes that take it leave, without a branch that processors
// predict badly.
bool LaneFlow::leave_unconditionally(const Block& block, Id target) {
  const int selection = opened_by(block);
  if (!parent_.in_vectors() || block.terminator().arg(2) == target || !leaves_at_once(target, selection)) return false;
  const bool is_direct = !is_inside(selection, target);
  const Id from = is_direct ? block.label : target;
  const Instruction& last = facts_.function.block(from).terminator();
  const bool returns = !is_direct && last.op == spv::OpReturn;
  const Id to = returns ? to_return : is_direct ? target : last.arg(0);
  if (!returns && has_phi_copies(from, to)) return false;
  if (!is_direct && has_phi_copies(block.label, target)) return false;
  if (!returns) {  // to another case of a switch
    const Structure::Target resolved = facts_.structure.resolve(selection, to);
    if (resolved.kind != Structure::Target::Kind::end) return false;
  }
  leave(to, selection, "taken_" + std::to_string(block.label));
  return true;
}

// Lanes that leave the first side of a selection wait for the second one.
void LaneFlow::arm_end(const Work& work) {
  body_.label(end_label(work.construct));
  second_arm_.insert(work.construct);
  Arms& arms = arms_[work.construct];
  if (!parent_.in_vectors() || arms.first.empty() || crossing_[work.construct].empty()) return;
  arms.first = "rest_" + std::to_string(construct(work.construct).header);
  body_.declare("weft_mask", arms.first);
  line(arms.first + " = mask;");
}

std::string LaneFlow::end_label(int ended) const {
  const Construct& one = construct(ended);
  const bool is_first_arm =
      one.kind == Construct::Kind::selection && facts_.masks.parts_lanes(ended) && !second_arm_.contains(ended);
  return is_first_arm ? "else_" + std::to_string(one.header) : Flow::end_label(ended);
}

void LaneFlow::conditional(const Block& block, const Work& work) {
  const Id condition = block.terminator().arg(0);
  if (parts(condition))
    parting_conditional(block, work);
  else
    plain_conditional(block, work, expressions_.value(condition));
}

// Some lanes leave, and the others go on.
void LaneFlow::parting_conditional(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  if (is_inside(work.construct, last.arg(1)) && is_inside(work.construct, last.arg(2))) {
    parent_.refuse(last,
                   "without a merge instruction, at which lanes part for good, is not supported where a subgroup "
                   "is one flow of control");
  }
  const Exit exit = exit_of(block, work);
  const std::string id = std::to_string(block.label), leavers = "leaving_" + id;
  vote(leavers, last.arg(0), !exit.when_true);
  line("const weft_mask staying_" + id + " = weft_without(mask, " + leavers + ");");
  const int owner = facts_.structure.resolve(work.construct, exit.leaving).construct;
  left_early_.insert(owner);
  line("if (weft_any(" + leavers + ")) {");
  line("mask = " + leavers + ";");
  phi_copies(block.label, exit.leaving);
  const Structure::Target to = facts_.structure.resolve(work.construct, exit.leaving);
  const bool falls_through = to.kind == Structure::Target::Kind::next_case;
  const int crossed = facts_.masks.below(work.construct, to.construct);
  if (crossed >= 0 && !is_case_of(crossed, to.construct)) leave(exit.leaving, crossed, leavers);
  if (crossed < 0 && falls_through) choose_next_case(to.construct);
  line("mask = staying_" + id + ";");
  line("if (!weft_any(mask)) {");
  if (crossed >= 0 || falls_through)
    line(body_.go_to(end_label(crossed >= 0 ? crossed : to.construct)));
  else
    direct_jump(exit.leaving, work.construct, to);
  line("}");
  line("}");
  branch(block.label, exit.staying, work.construct, work.natural);
}

void LaneFlow::leave_at_header(const Block& header, Id last, bool leaves_when_true) {
  const Id condition = facts_.function.block(last).terminator().arg(0);
  if (parts(condition))
    parting_exit(header, last, leaves_when_true);
  else
    plain_exit(header, last, leaves_when_true, expressions_.value(condition));
}

// Lanes that leave wait for the loop's end.
void LaneFlow::parting_exit(const Block& header, Id last, bool leaves_when_true) {
  const std::string stays = "stays_" + std::to_string(header.label);
  vote(stays, facts_.function.block(last).terminator().arg(0), leaves_when_true);
  if (has_phi_copies(last, header.merge)) {
    line("mask = weft_without(mask, " + stays + ");");
    phi_copies(last, header.merge);
  }
  line("mask = " + stays + ";");
  line("if (!weft_any(mask)) {");
  line("break;");
  line("}");
}

void LaneFlow::masked_switch(const Block& block, const Work& work) {
  const std::string variable = case_variable(opened_by(block)), entry = "entry_" + std::to_string(block.label);
  parent_.parts_lanes = true;
  body_.declare("weft_lanes<uint32_t>", variable);
  body_.level = Level::lanes;
  line(variable + "[lane] = " + no_case(block) + ";");
  choose_case(block, variable + "[lane]", "exit_to[lane]");
  body_.level = Level::group;
  line("const weft_mask " + entry + " = mask;");
  push_cases(block, work, [&](size_t index) -> CaseEntry {
    return {"weft_chosen(" + entry + ", " + variable + ", " + std::to_string(index) + "u)", "weft_any(mask)"};
  });
}

void LaneFlow::set_case(int switch_construct, size_t index) {
  line("weft_assign(" + case_variable(switch_construct) + ", mask, " + std::to_string(index) + "u);");
}

void LaneFlow::leave(Id target, int crossed) {
  leave(target, crossed, "mask");
  if (parent_.in_vectors()) line("mask = false;");
}

// In vectors, `mask` loses lanes where they leave, so that a comparison of their destinations is needed only where some
// of them come back. Whether that is so here; `mask` has the right lanes then.
bool LaneFlow::keeps_mask(int ended, const std::string& entered) {
  using K = Construct::Kind;
  const Construct& one = construct(ended);
  const std::vector<Id>& targets = crossing_[ended];
  const bool come_back = left_early_.contains(ended) || std::ranges::find(targets, one.end) != targets.end();
  if (!parent_.in_vectors() || come_back || (one.kind != K::selection && one.kind != K::loop_body)) return false;
  const auto arms = arms_.find(ended);
  if (one.kind == K::loop_body || arms == arms_.end()) return true;
  const std::string second =
      arms->second.has_second ? "mask" : "weft_without(" + entered + ", taken_" + std::to_string(one.header) + ")";
  line("mask = " + (arms->second.first.empty() ? "" : arms->second.first + " | ") + second + ";");
  return true;
}

void LaneFlow::leave(Id target, int crossed, const std::string& lanes) {
  cross(target, crossed);
  line("weft_leave(exit_to, " + lanes + ", " + exit_text(target) + ");");
}

// Those of the lanes that entered the construct go on that did not leave for somewhere further out.
void LaneFlow::reconverge(int ended, const std::string& entered) {
  const std::vector<Id> targets = crossing_[ended];
  const Id here = construct(ended).end;
  if (targets.empty()) {
    line("mask = " + entered + ";");
    return;
  }
  if (!keeps_mask(ended, entered)) line("mask = weft_arrive(" + entered + ", exit_to, " + exit_text(here) + ");");
  const auto is_further = [&](Id target) { return target != here; };
  if (std::ranges::none_of(targets, is_further)) return;
  const int outer = facts_.masks.innermost(construct(ended).parent);
  if (outer < 0) {
    line("if (!weft_any(mask)) " + return_text());
    return;
  }
  for (const Id target : targets) {
    if (is_further(target)) cross(target, outer);
  }
  line("if (!weft_any(mask)) " + body_.go_to(end_label(outer)));
}

void LaneFlow::phi_copies(Id from, Id to) {
  const Level before = body_.level;
  const bool is_of_lane = facts_.lanes.level_in(facts_.structure.construct_of.at(to)) == Level::lanes;
  const auto differs = [&](Id phi) { return is_of_lane || facts_.lanes.is_per_lane(phi); };
  body_.level = parent_.in_vectors() ? Level::group : Level::lanes;
  phi_copies_where(from, to, differs);
  body_.level = Level::group;
  phi_copies_where(from, to, [&](Id phi) { return !differs(phi); });
  body_.level = before;
}

std::string LaneFlow::return_text() const {
  if (parent_.may_disagree()) return "return true;";
  return returned_.empty() ? "return;" : "return " + returned_ + ";";
}

void LaneFlow::return_(const Instruction& instruction, int from) {
  const int crossed = facts_.masks.below(from, 0);
  if (instruction.op == spv::OpReturnValue && returned_.empty()) {
    line("return " + expressions_.bare_value(instruction.arg(0)) + ";");
    return;
  }
  if (instruction.op == spv::OpReturnValue) {
    if (parent_.in_vectors()) {
      const std::string text = expressions_.operand(instruction.arg(0), facts_.function.id);
      line(returns_once_ ? returned_ + " = " + text + ";" : "weft_assign(" + returned_ + ", mask, " + text + ");");
    } else {
      body_.level = Level::lanes;
      line(returned_ + "[lane] = " + expressions_.bare_value(instruction.arg(0)) + ";");
      body_.level = Level::group;
    }
  }
  if (crossed < 0)
    line(return_text());
  else
    jump_to_end(to_return, crossed);
}

}  // namespace weft::translate
