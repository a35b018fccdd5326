#include <algorithm>

#include "backends/translate/function_emitter.h"

namespace weft::translate {

std::string FunctionEmitter::case_labels(const Instruction& instruction, Id target) const {
  std::string labels;
  const std::string suffix = type_of(instruction.arg(0)).width == 64 ? "ull" : "u";
  const uint32_t width = type_of(instruction.arg(0)).width;
  const uint64_t bits = width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (const SwitchCase& c : switch_cases(instruction, parent_.module)) {
    if (c.target == target) labels += "case " + std::to_string(c.literal & bits) + suffix + ": ";
  }
  if (instruction.arg(1) == target) labels += "default: ";
  return labels;
}

// A C++ switch. Phis of its cases are set before it, because control may also fall through into a case.
void FunctionEmitter::switch_(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int construct = structure_.opened_by.at(block.label);
  if (for_subgroup_) level_ = level_in(construct);
  if (masked(construct)) line("const weft_mask entry_" + std::to_string(block.label) + " = mask;");
  const std::string selector = value(last.arg(0));
  std::vector<Work> items;
  const auto text = [&](const std::string& t) {
    Work w;
    w.text = t;
    w.construct = construct;
    items.push_back(w);
  };
  for (const int c : structure_.cases.at(construct)) phi_copies(block.label, structure_.constructs[c].entry);
  line("switch (" + selector + ") {");
  for (const int c : structure_.cases.at(construct)) {
    const Construct& one = structure_.constructs[c];
    text(case_labels(last, one.entry) + "{");
    const std::string start = "case_" + std::to_string(one.entry) + "_start";
    text("@" + start);
    Work body;
    body.kind = Work::Kind::block;
    body.label = one.entry;
    body.construct = c;
    body.natural = one.next_case;
    items.push_back(body);
    text("}");
  }
  for (const Id target : successors(block, parent_.module)) {
    const auto to = structure_.resolve(construct, target);
    if (to.kind == Structure::Target::Kind::inside) continue;
    if (target == block.merge && !has_phi_copies(block.label, target) && last.arg(1) == target) {
      std::string labels = case_labels(last, target);
      text(labels + "break;");
      continue;
    }
    text(case_labels(last, target) + "{");
    Work leave;
    leave.kind = Work::Kind::branch;
    leave.from = block.label;
    leave.label = target;
    leave.construct = construct;
    items.push_back(leave);
    text("}");
  }
  text("}");
  Work end;
  end.kind = Work::Kind::construct_end;
  end.construct = construct;
  end.natural = work.natural;
  items.push_back(end);
  push(items);
}

// All lanes pass all cases in order, and each case runs with the lanes that take it. So lanes that fall through into a
// case execute it together with those that jumped there.
void FunctionEmitter::masked_switch(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  const int construct = structure_.opened_by.at(block.label);
  const std::vector<int>& cases = structure_.cases.at(construct);
  const std::string id = std::to_string(block.label), variable = case_variable(construct);
  const std::string none = std::to_string(cases.size() + 1) + "u";
  line("const weft_mask entry_" + id + " = mask;");
  line("uint32_t " + variable + " = " + none + ";");
  line("switch (" + value(last.arg(0)) + ") {");
  for (const Id target : successors(block, parent_.module)) {
    line(case_labels(last, target) + "{");
    phi_copies(block.label, target);
    const auto to = structure_.resolve(construct, target);
    if (to.kind == Structure::Target::Kind::inside) {
      const auto is_it = [&](int c) { return structure_.constructs[c].entry == target; };
      line(variable + " = " + std::to_string(std::ranges::find_if(cases, is_it) - cases.begin()) + "u;");
    } else if (target != block.merge) {
      uses_exit_ = true;
      crossing_[construct].push_back(target);
      line("exit_to = " + exit_text(target) + ";");
    }
    line("break;");
    line("}");
  }
  line("}");
  std::vector<Work> items;
  for (size_t k = 0; k < cases.size(); ++k) {
    const Construct& one = structure_.constructs[cases[k]];
    const std::string chosen = variable + " == " + std::to_string(k) + "u";
    Work w;
    w.text =
        "mask = weft_ballot_mask(self, entry_" + id + ", " + chosen + ", " + std::to_string(parent_.site(last)) + ");";
    items.push_back(w);
    w.text = "if (" + chosen + ") {";
    items.push_back(w);
    Work body;
    body.kind = Work::Kind::block;
    body.label = one.entry;
    body.construct = cases[k];
    body.natural = block.merge;
    items.push_back(body);
    w.text = "}";
    items.push_back(w);
    w.text = "@" + end_label(cases[k]);
    items.push_back(w);
  }
  Work end;
  end.kind = Work::Kind::construct_end;
  end.construct = construct;
  end.natural = work.natural;
  items.push_back(end);
  push(items);
}

}  // namespace weft::translate
