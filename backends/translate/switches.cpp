#include <algorithm>

#include "backends/translate/flow.h"

namespace weft::translate {

std::string Flow::case_labels(const Instruction& instruction, Id target) const {
  std::string labels;
  const uint32_t width = expressions_.type_of(instruction.arg(0)).width;
  const std::string suffix = width == 64 ? "ull" : "u";
  const uint64_t bits = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (const SwitchCase& c : switch_cases(instruction, parent_.module)) {
    if (c.target == target) labels += "case " + std::to_string(c.literal & bits) + suffix + ": ";
  }
  if (instruction.arg(1) == target) labels += "default: ";
  return labels;
}

// A C++ switch. Phis of its cases are set before it, because control may also fall through into a case.
void Flow::plain_switch(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int opened = opened_by(block);
  enter(opened);
  if (masked(opened)) line("const weft_mask entry_" + std::to_string(block.label) + " = mask;");
  const std::string selector = expressions_.value(last.arg(0));
  const std::vector<int>& cases = facts_.structure.cases.at(opened);
  for (const int c : cases) phi_copies(block.label, construct(c).entry);
  line("switch (" + selector + ") {");
  std::vector<Work> items;
  for (const int c : cases) {
    const Construct& one = construct(c);
    items.push_back(text(opened, case_labels(last, one.entry) + "{"));
    items.push_back(label(opened, "case_" + std::to_string(one.entry) + "_start"));
    items.push_back(code(one.entry, c, one.next_case));
    items.push_back(text(opened, "}"));
  }
  for (const Id target : successors(block, parent_.module)) {
    if (is_inside(opened, target)) continue;
    if (target == block.merge && !has_phi_copies(block.label, target) && last.arg(1) == target) {
      items.push_back(text(opened, case_labels(last, target) + "break;"));
      continue;
    }
    items.push_back(text(opened, case_labels(last, target) + "{"));
    items.push_back(way(block.label, target, opened, 0));
    items.push_back(text(opened, "}"));
  }
  items.push_back(text(opened, "}"));
  items.push_back(end(opened, work.natural));
  push(items);
}

// An index that no case has.
std::string Flow::no_case(const Block& block) const {
  return std::to_string(facts_.structure.cases.at(opened_by(block)).size() + 1) + "u";
}

// Sets `variable` to the index of the case that is taken, or `exit` where a target is further out.
void Flow::choose_case(const Block& block, const std::string& variable, const std::string& exit) {
  const Instruction& last = block.terminator();
  const int opened = opened_by(block);
  const std::vector<int>& cases = facts_.structure.cases.at(opened);
  line("switch (" + expressions_.value(last.arg(0)) + ") {");
  for (const Id target : successors(block, parent_.module)) {
    line(case_labels(last, target) + "{");
    phi_copies(block.label, target);
    if (is_inside(opened, target)) {
      const auto is_it = [&](int c) { return construct(c).entry == target; };
      line(variable + " = " + std::to_string(std::ranges::find_if(cases, is_it) - cases.begin()) + "u;");
    } else if (target != block.merge) {
      cross(target, opened);
      line(exit + " = " + exit_text(target) + ";");
    }
    line("break;");
    line("}");
  }
  line("}");
}

// The cases in order, each with the lanes that take it. So lanes that fall through into a case execute it together with
// those that jumped there.
void Flow::push_cases(const Block& block, const Work& work, const std::function<CaseEntry(size_t)>& entry_of) {
  const int opened = opened_by(block);
  const std::vector<int>& cases = facts_.structure.cases.at(opened);
  std::vector<Work> items;
  for (size_t k = 0; k < cases.size(); ++k) {
    const CaseEntry entry = entry_of(k);
    items.push_back(text(opened, "mask = " + entry.mask + ";"));
    items.push_back(text(opened, "if (" + entry.condition + ") {"));
    items.push_back(code(construct(cases[k]).entry, cases[k], block.merge));
    items.push_back(text(opened, "}"));
    items.push_back(label(cases[k], end_label(cases[k])));
  }
  items.push_back(end(opened, work.natural));
  push(items);
}

}  // namespace weft::translate
