#include <algorithm>

#include "backends/translate/rules.h"

// Control flow of a function that runs once for a subgroup. Constructs that contain no subgroup operation or barrier
// and that nothing leaves early run within a loop over the lanes, as in scalar code. In others, `mask` has the lanes
// that run, both sides of a branch run one after the other, and lanes that leave a construct wait at its end: `exit_to`
// holds their destination.
namespace weft::translate {

bool FunctionEmitter::parts_lanes(int construct) const {
  const Construct& c = structure_.constructs[construct];
  return for_subgroup_ && lane_root_[construct] < 0 && c.parts_at_header;
}

void FunctionEmitter::find_lane_masks() {
  using K = Construct::Kind;
  const std::vector<Construct>& all = structure_.constructs;
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    const Construct& one = all[c];
    const bool opens = one.kind == K::selection || one.kind == K::switch_ || one.kind == K::loop;
    const bool differs = one.parts_at_header || one.leaves_apart;
    const int around = one.parent < 0 ? -1 : lane_root_[one.parent];
    lane_root_.push_back(around >= 0 ? around : opens && differs && !one.acts && !one.escapes ? c : -1);
    const bool is_masked = lane_root_[c] < 0 && structure_.needs_mask(c);
    tracked_.push_back(false);
    masked_.push_back(is_masked);
    innermost_masked_.push_back(is_masked ? c : one.parent < 0 ? -1 : innermost_masked_[one.parent]);
  }
}

// Sets `mask` to the active lanes for which the condition holds.
void FunctionEmitter::vote(const std::string& mask, Id condition, bool negated) {
  parent_.parts_lanes = true;
  level_ = Level::ahead;
  line("weft_lanes<bool> is_" + mask + ";");
  level_ = Level::lanes;
  const std::string text = value(condition);
  line("is_" + mask + "[lane] = " + (negated ? "!" + text : without_parentheses(text)) + ";");
  level_ = Level::group;
  line("const weft_mask " + mask + " = weft_ballot_mask(mask, is_" + mask + ");");
}

void FunctionEmitter::selection_of_lanes(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int construct = structure_.opened_by.at(block.label);
  const std::string id = std::to_string(block.label);
  vote("taken_" + id, last.arg(0), false);
  line("const weft_mask entry_" + id + " = mask;");
  std::vector<Work> items;
  const auto item = [&](Work::Kind kind, const std::string& text, Id target = 0) {
    Work w;
    w.kind = kind;
    w.text = text;
    w.construct = construct;
    w.from = block.label;
    w.label = target;
    w.natural = kind == Work::Kind::construct_end ? work.natural : block.merge;
    items.push_back(w);
  };
  const Id yes = last.arg(1), no = last.arg(2);
  if (yes == no) {
    item(Work::Kind::text, "{");
    item(Work::Kind::branch, "", yes);
    item(Work::Kind::text, "}");
  } else if (needs_text(block.label, yes, block.merge)) {
    item(Work::Kind::text, "mask = taken_" + id + ";");
    item(Work::Kind::text, "if (weft_any(mask)) {");
    item(Work::Kind::branch, "", yes);
    item(Work::Kind::text, "}");
  }
  item(Work::Kind::arm_end, "");
  if (yes != no && needs_text(block.label, no, block.merge)) {
    item(Work::Kind::text, "mask = weft_without(entry_" + id + ", taken_" + id + ");");
    item(Work::Kind::text, "if (weft_any(mask)) {");
    item(Work::Kind::branch, "", no);
    item(Work::Kind::text, "}");
  }
  item(Work::Kind::construct_end, "");
  push(items);
}

// Lanes that leave the first side of a selection wait for the second one.
void FunctionEmitter::arm_end(const Work& work) {
  label(end_label(work.construct));
  second_arm_.insert(work.construct);
}

// A conditional branch that opens no selection: some lanes leave, and the others go on.
void FunctionEmitter::conditional_of_lanes(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const Id yes = last.arg(1), no = last.arg(2);
  const auto is_inside = [&](Id target) {
    return structure_.resolve(work.construct, target).kind == Structure::Target::Kind::inside;
  };
  if (is_inside(yes) && is_inside(no)) {
    parent_.refuse(last,
                   "without a merge instruction, at which lanes part for good, is not supported where a subgroup "
                   "is one flow of control");
  }
  const bool leaves_when_true = !is_inside(yes) && (is_inside(no) || yes != work.natural);
  const Id leaving = leaves_when_true ? yes : no, staying = leaves_when_true ? no : yes;
  const std::string id = std::to_string(block.label), leavers = "leaving_" + id;
  vote(leavers, last.arg(0), !leaves_when_true);
  line("const weft_mask staying_" + id + " = weft_without(mask, " + leavers + ");");
  line("if (weft_any(" + leavers + ")) {");
  line("mask = " + leavers + ";");
  phi_copies(block.label, leaving);
  const Structure::Target to = structure_.resolve(work.construct, leaving);
  const int crossed = masked_below(work.construct, to.construct);
  const bool ends_case = is_case_of(crossed, to.construct);
  if (crossed >= 0 && !ends_case) leave(leaving, crossed, leavers);
  if (crossed < 0 && to.kind == Structure::Target::Kind::next_case) {
    const auto& cases = structure_.cases.at(structure_.constructs[to.construct].parent);
    const auto at = std::ranges::find(cases, to.construct) - cases.begin();
    line("weft_assign(" + case_variable(structure_.constructs[to.construct].parent) + ", mask, " +
         std::to_string(at + 1) + "u);");
  }
  line("mask = staying_" + id + ";");
  line("if (!weft_any(mask)) {");
  if (crossed >= 0) {
    line("goto " + end_label(crossed) + ";");
    used_labels_.insert(end_label(crossed));
  } else if (to.kind == Structure::Target::Kind::next_case) {
    line("goto " + end_label(to.construct) + ";");
    used_labels_.insert(end_label(to.construct));
  } else {
    direct_jump(leaving, work.construct, to);
  }
  line("}");
  line("}");
  branch(block.label, staying, work.construct, work.natural);
}

// The exit of a loop by its header's own condition. Lanes that leave wait for the loop's end.
void FunctionEmitter::way_out_of_lanes(const Block& header, Id last_label, bool leaves_when_true) {
  const std::string id = std::to_string(header.label);
  vote("stays_" + id, function_.block(last_label).terminator().arg(0), leaves_when_true);
  if (has_phi_copies(last_label, header.merge)) {
    line("mask = weft_without(mask, stays_" + id + ");");
    phi_copies(last_label, header.merge);
  }
  line("mask = stays_" + id + ";");
  line("if (!weft_any(mask)) {");
  line("break;");
  line("}");
}

// All lanes pass all cases in order, and each case runs with the lanes that take it.
void FunctionEmitter::switch_of_lanes(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int construct = structure_.opened_by.at(block.label);
  const std::vector<int>& cases = structure_.cases.at(construct);
  const std::string id = std::to_string(block.label), variable = case_variable(construct);
  parent_.parts_lanes = true;
  variable_lines_.push_back("weft_lanes<uint32_t> " + variable + ";");
  level_ = Level::lanes;
  line(variable + "[lane] = " + std::to_string(cases.size() + 1) + "u;");
  line("switch (" + value(last.arg(0)) + ") {");
  for (const Id target : successors(block, parent_.module)) {
    line(case_labels(last, target) + "{");
    phi_copies(block.label, target);
    level_ = Level::lanes;
    const auto to = structure_.resolve(construct, target);
    if (to.kind == Structure::Target::Kind::inside) {
      const auto is_it = [&](int c) { return structure_.constructs[c].entry == target; };
      line(variable + "[lane] = " + std::to_string(std::ranges::find_if(cases, is_it) - cases.begin()) + "u;");
    } else if (target != block.merge) {
      uses_exit_ = true;
      crossing_[construct].push_back(target);
      line("exit_to[lane] = " + exit_text(target) + ";");
    }
    line("break;");
    line("}");
  }
  line("}");
  level_ = Level::group;
  line("const weft_mask entry_" + id + " = mask;");
  std::vector<Work> items;
  const auto item = [&](Work::Kind kind, int around, const std::string& text) {
    Work w;
    w.kind = kind;
    w.construct = around;
    w.text = text;
    w.natural = kind == Work::Kind::construct_end ? work.natural : block.merge;
    items.push_back(w);
  };
  for (size_t k = 0; k < cases.size(); ++k) {
    item(Work::Kind::text, construct,
         "mask = weft_chosen(entry_" + id + ", " + variable + ", " + std::to_string(k) + "u);");
    item(Work::Kind::text, construct, "if (weft_any(mask)) {");
    item(Work::Kind::block, cases[k], "");
    items.back().label = structure_.constructs[cases[k]].entry;
    item(Work::Kind::text, construct, "}");
    item(Work::Kind::text, cases[k], "@" + end_label(cases[k]));
  }
  item(Work::Kind::construct_end, construct, "");
  push(items);
}

// Sends lanes to `target` by way of the end of the masked construct `crossed`.
void FunctionEmitter::leave(Id target, int crossed, const std::string& lanes) {
  uses_exit_ = true;
  auto& targets = crossing_[crossed];
  if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
  line("weft_leave(exit_to, " + lanes + ", " + exit_text(target) + ");");
}

// The end of a masked construct: those of the lanes that entered it go on that did not leave for somewhere further out.
void FunctionEmitter::arrive(int construct, const std::string& entry, Id here) {
  const std::vector<Id> targets = crossing_[construct];
  if (targets.empty()) {
    line("mask = " + entry + ";");
    return;
  }
  line("mask = weft_arrive(" + entry + ", exit_to, " + exit_text(here) + ");");
  const auto is_further = [&](Id target) { return target != here; };
  if (std::ranges::none_of(targets, is_further)) return;
  const int parent = structure_.constructs[construct].parent;
  const int outer = innermost_masked_[parent];
  if (outer < 0) {
    line("if (!weft_any(mask)) " + return_text());
    return;
  }
  for (const Id target : targets) {
    auto& further = crossing_[outer];
    if (is_further(target) && std::ranges::find(further, target) == further.end()) further.push_back(target);
  }
  line("if (!weft_any(mask)) goto " + end_label(outer) + ";");
  used_labels_.insert(end_label(outer));
}

std::string FunctionEmitter::return_text() const {
  if (for_subgroup_ && parent_.may_disagree()) return "return true;";
  return is_divergent(function_.id) ? "return " + returned_ + ";" : "return;";
}

void FunctionEmitter::return_of_lanes(const Instruction& instruction, int from) {
  const int crossed = masked_below(from, 0);
  if (instruction.op == spv::OpReturnValue && !is_divergent(function_.id)) {
    line("return " + without_parentheses(value(instruction.arg(0))) + ";");
    return;
  }
  if (instruction.op == spv::OpReturnValue) {
    level_ = Level::lanes;
    line(returned_ + "[lane] = " + without_parentheses(value(instruction.arg(0))) + ";");
    level_ = Level::group;
  }
  if (crossed < 0) {
    line(return_text());
  } else {
    leave(to_return, crossed, "mask");
    line("goto " + end_label(crossed) + ";");
    used_labels_.insert(end_label(crossed));
  }
}

}  // namespace weft::translate
