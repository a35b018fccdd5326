#include <algorithm>

#include "backends/translate/flow.h"
#include "backends/translate/rules.h"

// Loops, and the ends of constructs, where their lanes reconverge.
namespace weft::translate {

// Finds constructs with visible effects. Calls do not count, since they may have none.
void Flow::find_effects() {
  has_effects_.assign(facts_.structure.constructs.size(), false);
  const auto is_effect = [this](const Instruction& i) {
    if (i.op == spv::OpStore || i.op == spv::OpCopyMemory) {
      return Types::is_byte_addressed(expressions_.type_of(i.arg(0)).storage);
    }
    const Rule* rule = find_rule(i.op);
    const std::string_view group = rule ? rule->group : "";
    return group == "atomic" || group == "barrier" || group == "subgroup";
  };
  for (const auto& [label, inside] : facts_.structure.construct_of) {
    if (std::ranges::any_of(facts_.function.block(label).code, is_effect)) has_effects_[inside] = true;
  }
  for (size_t c = has_effects_.size(); c-- > 1;) {  // a construct follows the one around it
    if (has_effects_[c]) has_effects_[facts_.structure.constructs[c].parent] = true;
  }
}

// A header that leaves the loop by its own condition precedes the part that a `continue` ends: the lanes that stay form
// the iteration.
void Flow::open_loop(const Block& header, const Work& work) {
  const int loop = opened_by(header), body = facts_.structure.body_of.at(loop);
  const std::string id = std::to_string(header.label);
  enter(loop);
  if (masked(loop)) line("const weft_mask entry_" + id + " = mask;");
  const bool unroll = header.loop_control & spv::LoopControlUnrollMask;
  const bool keep = header.loop_control & spv::LoopControlDontUnrollMask;
  line(std::string(unroll ? "WEFT_UNROLL " : keep ? "WEFT_KEEP_LOOP " : "") + "for (;;) {");
  if (!has_effects_[loop] && !unroll) line("WEFT_MAY_NOT_END();");
  const std::vector<Id> out = facts_.structure.way_out(header);
  for (const Id label : out) {
    const Block& block = facts_.function.block(label);
    emit_code(block);
    if (label != out.back()) phi_copies(label, block.terminator().arg(0));
  }
  Work rest = code(header.label, body, header.continue_target);
  if (!out.empty()) {
    const Instruction& last = facts_.function.block(out.back()).terminator();
    expressions_.line_comment(last);
    const bool leaves_when_true = last.arg(1) == header.merge;
    leave_at_header(header, out.back(), leaves_when_true);
    rest = way(out.back(), leaves_when_true ? last.arg(2) : last.arg(1), body, header.continue_target);
  }
  if (masked(body)) line("const weft_mask iteration_" + id + " = mask;");
  body_.line_for(end_label(body), "{");
  Work middle;
  middle.kind = Work::Kind::continue_point;
  middle.construct = body;
  push({rest, middle, text(loop, "}"), end(loop, work.natural)});
}

void Flow::plain_exit(const Block& header, Id last, bool leaves_when_true, const std::string& condition) {
  line("if (" + (leaves_when_true ? ExpressionEmitter::without_parentheses(condition) : "!" + condition) + ") {");
  phi_copies(last, header.merge);
  line("break;");
  line("}");
}

void Flow::continue_point(const Work& work) {
  const Construct& body = construct(work.construct);
  const std::string label = end_label(work.construct);
  body_.line_for(label, "}");
  body_.label(label);
  if (masked(work.construct)) reconverge(work.construct, "iteration_" + std::to_string(body.header));
  if (body.end == body.header) return;
  push({code(body.end, facts_.structure.continue_of.at(body.parent), body.header)});
}

void Flow::construct_end(const Work& work) {
  const Construct& ended = construct(work.construct);
  body_.label(end_label(work.construct));
  if (const auto cases = facts_.structure.cases.find(work.construct); cases != facts_.structure.cases.end()) {
    auto& targets = crossing_[work.construct];
    for (const int c : cases->second) {
      for (const Id target : crossing_[c]) {
        if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
      }
    }
  }
  if (masked(work.construct)) reconverge(work.construct, "entry_" + std::to_string(ended.header));
  enter(ended.parent);
  if (is_inside(ended.parent, ended.end))
    push({code(ended.end, ended.parent, work.natural)});
  else
    jump(ended.end, ended.parent, work.natural);
}

}  // namespace weft::translate
