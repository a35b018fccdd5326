#include <algorithm>

#include "backends/translate/rules.h"

// Structured control flow, emitted from an explicit stack, so that nesting can be arbitrarily deep. A block is emitted
// where control first reaches it; a construct's end follows its text.
namespace weft::translate {

void FunctionEmitter::emit_all() {
  Work first;
  first.kind = Work::Kind::block;
  first.label = function_.blocks.front().label;
  work_.push_back(first);
  while (!work_.empty()) {
    const Work work = std::move(work_.back());
    work_.pop_back();
    if (for_subgroup_) level_ = level_in(work.construct);
    switch (work.kind) {
      case Work::Kind::block:
        emit_block(work);
        break;
      case Work::Kind::branch:
        branch(work.from, work.label, work.construct, work.natural);
        break;
      case Work::Kind::text:
        line(work.text);
        break;
      case Work::Kind::continue_point:
        continue_point(work);
        break;
      case Work::Kind::construct_end:
        construct_end(work);
        break;
      case Work::Kind::arm_end:
        arm_end(work);
        break;
    }
  }
}

void FunctionEmitter::push(const std::vector<Work>& items) { work_.insert(work_.end(), items.rbegin(), items.rend()); }

void FunctionEmitter::emit_block(const Work& work) {
  const Block& block = function_.block(work.label);
  const bool is_loop = block.merge_op == spv::OpLoopMerge;
  const Construct& around = structure_.constructs[work.construct];
  if (is_loop && !(around.kind == Construct::Kind::loop_body && around.header == work.label)) {
    open_loop(block, work);
    return;
  }
  if (!emitted_.insert(work.label).second) {
    parent_.refuse(block.terminator(), "is reached by branches that are not structured");
  }
  emit_code(block);
  terminator(block, work);
}

void FunctionEmitter::emit_code(const Block& block) {
  put_off_.clear();
  put_off_order_.clear();
  inside_ = structure_.construct_of.at(block.label);
  for (const Instruction& instruction : block.code) {
    if (instruction.op == spv::OpPhi || &instruction == &block.code.back()) continue;
    const Rule* rule = find_rule(instruction.op);
    if (!rule) parent_.refuse(instruction);
    if (put_off(instruction)) continue;
    settle_before(instruction);
    line_comment(instruction);
    if (for_subgroup_) level_ = level_of(instruction);
    (this->*rule->emit)(instruction, *rule);
  }
  if (for_subgroup_) level_ = level_in(inside_);
  const Instruction& last = block.terminator();
  const bool takes_one = last.op == spv::OpBranchConditional || last.op == spv::OpReturnValue;
  settle_all_but(takes_one ? std::vector<Id>{last.arg(0)} : std::vector<Id>{}, false);
}

void FunctionEmitter::terminator(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  line_comment(last);
  switch (last.op) {
    case spv::OpBranch:
      branch(block.label, last.arg(0), work.construct, work.natural);
      break;
    case spv::OpBranchConditional:
      if (block.merge_op == spv::OpSelectionMerge)
        selection(block, work);
      else if (for_subgroup_ && level_ == Level::group && !is_uniform(last.arg(0)))
        conditional_of_lanes(block, work);
      else
        conditional(block, work);
      break;
    case spv::OpSwitch:
      if (parts_lanes(structure_.opened_by.at(block.label)))
        switch_of_lanes(block, work);
      else if (masked_cases(structure_.opened_by.at(block.label)))
        masked_switch(block, work);
      else
        switch_(block, work);
      break;
    case spv::OpReturn:
    case spv::OpReturnValue:
      return_(last, work.construct);
      break;
    case spv::OpUnreachable:
      line("weft_unreachable(self, " + std::to_string(parent_.site(last)) + ");");
      break;
    default:
      parent_.refuse(last);
  }
}

void FunctionEmitter::branch(Id from, Id target, int construct, Id natural) {
  phi_copies(from, target);
  if (structure_.resolve(construct, target).kind != Structure::Target::Kind::inside) {
    jump(target, construct, natural);
    return;
  }
  Work next;
  next.kind = Work::Kind::block;
  next.label = target;
  next.construct = construct;
  next.natural = natural;
  push({next});
}

void FunctionEmitter::phi_copies(Id from, Id to) {
  if (!for_subgroup_) return phi_copies_where(from, to, [](Id) { return true; });
  const Level before = level_;
  const bool is_of_lane = lane_root_[structure_.construct_of.at(to)] >= 0;
  const auto differs = [&](Id phi) { return is_of_lane || is_divergent(phi); };
  level_ = Level::lanes;
  phi_copies_where(from, to, differs);
  level_ = Level::group;
  phi_copies_where(from, to, [&](Id phi) { return !differs(phi); });
  level_ = before;
}

// Values for these phis of `to`, all read before any is written.
void FunctionEmitter::phi_copies_where(Id from, Id to, const std::function<bool(Id)>& is_wanted) {
  std::vector<std::pair<Id, Id>> copies;
  bool through_temporaries = false;
  const Block& target = function_.block(to);
  for (const Instruction& phi : target.code) {
    if (phi.op != spv::OpPhi) break;
    if (!is_wanted(phi.result)) continue;
    for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
      if (phi.args[k + 1] != from || phi.args[k] == phi.result) continue;
      const auto is_phi_here = [&](const Instruction& other) {
        return other.op == spv::OpPhi && other.result == phi.args[k];
      };
      // The text of an lvalue may name another phi of the block.
      through_temporaries =
          through_temporaries || std::ranges::any_of(target.code, is_phi_here) || lvalues_.contains(phi.args[k]);
      copies.emplace_back(phi.result, phi.args[k]);
      break;
    }
  }
  std::vector<std::string> values;
  for (const auto& [phi, source] : copies) {
    std::string text = value(source);
    if (through_temporaries && copies.size() > 1) {
      const std::string next = "next_" + parent_.names.of(phi) + "_" + std::to_string(temporaries_++);
      variable_lines_.push_back(parent_.types.name(parent_.module.type_of.at(phi)) + " " + next + ";");
      line(next + " = " + text + ";");
      text = next;
    }
    values.push_back(std::move(text));
  }
  for (size_t k = 0; k < copies.size(); ++k) line(element_of(copies[k].first) + " = " + values[k] + ";");
}

bool FunctionEmitter::has_phi_copies(Id from, Id to) const {
  return std::ranges::any_of(function_.block(to).code, [&](const Instruction& phi) {
    if (phi.op != spv::OpPhi) return false;
    for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
      if (phi.args[k + 1] == from) return true;
    }
    return false;
  });
}

bool FunctionEmitter::needs_text(Id from, Id to, Id natural) const { return to != natural || has_phi_copies(from, to); }

// An if. If lanes diverge and its contents depend on that, each arm gets the mask of the lanes that take it.
void FunctionEmitter::selection(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int construct = structure_.opened_by.at(block.label);
  if (parts_lanes(construct)) return selection_of_lanes(block, work);
  if (for_subgroup_) level_ = level_in(construct);
  const std::string id = std::to_string(block.label);
  const bool keeps_mask = masked(construct);
  const bool sets_mask = keeps_mask && !for_subgroup_ && structure_.constructs[construct].acts;
  if (sets_mask) settle(last.arg(0));  // used twice
  const bool agrees = for_subgroup_ && parent_.agree(last.arg(0));
  const std::string condition = agrees ? agreement(block.label, last.arg(0)) : value(last.arg(0));
  if (keeps_mask) line("const weft_mask entry_" + id + " = mask;");
  if (sets_mask) {
    line("const weft_mask taken_" + id + " = weft_ballot_mask(self, mask, " + condition + ", " +
         std::to_string(parent_.site(last)) + ");");
  }
  Work end;
  end.kind = Work::Kind::construct_end;
  end.construct = construct;
  end.natural = work.natural;
  const auto text = [&](const std::string& t) {
    Work w;
    w.text = t;
    w.construct = construct;
    return w;
  };
  const auto arm = [&](Id target) {
    Work w;
    w.kind = Work::Kind::branch;
    w.from = block.label;
    w.label = target;
    w.construct = construct;
    w.natural = block.merge;
    return w;
  };
  const Id yes = last.arg(1), no = last.arg(2);
  const bool yes_text = needs_text(block.label, yes, block.merge);
  const bool no_text = yes != no && needs_text(block.label, no, block.merge);
  std::vector<Work> items;
  if (yes == no) {
    items = {text("{"), arm(yes), text("}")};
  } else if (yes_text || no_text) {
    const std::string take = "mask = taken_" + id + ";";
    const std::string leave = "mask = weft_without(entry_" + id + ", taken_" + id + ");";
    items.push_back(text(yes_text ? "if (" + without_parentheses(condition) + ") {" : "if (!" + condition + ") {"));
    if (yes_text) {
      if (sets_mask) items.push_back(text(take));
      items.push_back(arm(yes));
    }
    if (yes_text && no_text) items.push_back(text("} else {"));
    if (no_text) {
      if (sets_mask) items.push_back(text(leave));
      items.push_back(arm(no));
    }
    items.push_back(text("}"));
  }
  items.push_back(end);
  push(items);
}

// A conditional branch that opens no selection: an exit from a construct, or a loop's header.
void FunctionEmitter::conditional(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  // If no subgroup operation follows, lanes may have left without being removed from the mask.
  const bool parts = tracked(work.construct) && !is_uniform(last.arg(0)) && structure_.acts_from(block.label);
  if (parts) settle(last.arg(0));  // used twice
  const std::string condition = value(last.arg(0));
  const Id yes = last.arg(1), no = last.arg(2);
  if (yes == no) {
    branch(block.label, yes, work.construct, work.natural);
    return;
  }
  const auto is_inside = [&](Id label) {
    return structure_.resolve(work.construct, label).kind == Structure::Target::Kind::inside;
  };
  const auto arm = [&](Id target) {
    Work w;
    w.kind = Work::Kind::branch;
    w.from = block.label;
    w.label = target;
    w.construct = work.construct;
    w.natural = work.natural;
    return w;
  };
  const auto text = [&](const std::string& t) {
    Work w;
    w.text = t;
    w.construct = work.construct;
    return w;
  };
  if (is_inside(yes) && is_inside(no)) {
    if (parts) {
      const std::string id = std::to_string(block.label);
      line("const weft_mask taken_" + id + " = weft_ballot_mask(self, mask, " + condition + ", " +
           std::to_string(parent_.site(last)) + ");");
      line("mask = " + condition + " ? taken_" + id + " : weft_without(mask, taken_" + id + ");");
    }
    push({text("if (" + without_parentheses(condition) + ") {"), arm(yes), text("} else {"), arm(no), text("}")});
    return;
  }
  // The path that continues, if any, stays outside the braces.
  const bool leaves_when_true = !is_inside(yes) && (is_inside(no) || yes != work.natural);
  const Id leaving = leaves_when_true ? yes : no, staying = leaves_when_true ? no : yes;
  const std::string stay_condition = leaves_when_true ? "!" + condition : condition;
  if (parts) {
    line("mask = weft_ballot_mask(self, mask, " + stay_condition + ", " + std::to_string(parent_.site(last)) + ");");
  }
  line("if (" + (leaves_when_true ? without_parentheses(condition) : "!" + condition) + ") {");
  Work leave = arm(leaving);
  leave.natural = 0;
  push({leave, text("}"), arm(staying)});
}

}  // namespace weft::translate
