#include <algorithm>

#include "backends/translate/rules.h"

// Loops, and the ends of constructs, where their lanes reconverge.
namespace weft::translate {

// Finds constructs with visible effects. Calls do not count, since they may have none.
void FunctionEmitter::find_effects() {
  has_effects_.assign(structure_.constructs.size(), false);
  const auto is_effect = [this](const Instruction& i) {
    if (i.op == spv::OpStore || i.op == spv::OpCopyMemory) return Types::is_byte_addressed(type_of(i.arg(0)).storage);
    const Rule* rule = find_rule(i.op);
    const std::string_view group = rule ? rule->group : "";
    return group == "atomic" || group == "barrier" || group == "subgroup";
  };
  for (const auto& [label, construct] : structure_.construct_of) {
    if (std::ranges::any_of(function_.block(label).code, is_effect)) has_effects_[construct] = true;
  }
  for (size_t c = has_effects_.size(); c-- > 1;) {  // a construct follows the one around it
    if (has_effects_[c]) has_effects_[structure_.constructs[c].parent] = true;
  }
}

// A header that leaves the loop by its own condition precedes the part that a `continue` ends: the lanes that stay form
// the iteration.
void FunctionEmitter::open_loop(const Block& header, const Work& work) {
  const int loop = structure_.opened_by.at(header.label), body = structure_.body_of.at(loop);
  const std::string id = std::to_string(header.label);
  if (for_subgroup_) level_ = level_in(loop);
  if (masked(loop)) line("const weft_mask entry_" + id + " = mask;");
  const bool unroll = header.loop_control & spv::LoopControlUnrollMask;
  const bool keep = header.loop_control & spv::LoopControlDontUnrollMask;
  line(std::string(unroll ? "WEFT_UNROLL " : keep ? "WEFT_KEEP_LOOP " : "") + "for (;;) {");
  if (!has_effects_[loop] && !unroll) line("WEFT_MAY_NOT_END();");
  const auto open_body = [&] {
    if (masked(body)) line("const weft_mask iteration_" + id + " = mask;");
    add({"{", end_label(body)});
  };
  Work rest;
  rest.construct = body;
  rest.natural = header.continue_target;
  if (const std::vector<Id> way = structure_.way_out(header); !way.empty()) {
    for (const Id label : way) {
      const Block& block = function_.block(label);
      if (!emitted_.insert(label).second) {
        parent_.refuse(block.terminator(), "is reached by branches that are not structured");
      }
      emit_code(block);
      if (label != way.back()) phi_copies(label, block.terminator().arg(0));
    }
    const Instruction& last = function_.block(way.back()).terminator();
    line_comment(last);
    const bool leaves_when_true = last.arg(1) == header.merge;
    if (for_subgroup_ && level_ == Level::group && !is_uniform(last.arg(0)))
      way_out_of_lanes(header, way.back(), leaves_when_true);
    else
      leave_at_header(header, way.back(), leaves_when_true);
    open_body();
    rest.kind = Work::Kind::branch;
    rest.from = way.back();
    rest.label = leaves_when_true ? last.arg(2) : last.arg(1);
  } else {
    open_body();
    rest.kind = Work::Kind::block;
    rest.label = header.label;
  }
  Work middle;
  middle.kind = Work::Kind::continue_point;
  middle.construct = body;
  Work close;
  close.construct = loop;
  close.text = "}";
  Work end;
  end.kind = Work::Kind::construct_end;
  end.construct = loop;
  end.natural = work.natural;
  push({rest, middle, close, end});
}

void FunctionEmitter::leave_at_header(const Block& header, Id last_label, bool leaves_when_true) {
  const Instruction& last = function_.block(last_label).terminator();
  const bool parts = tracked(structure_.opened_by.at(header.label)) && !is_uniform(last.arg(0));
  if (parts) settle(last.arg(0));  // used twice
  const std::string condition = value(last.arg(0));
  if (parts) {
    line("mask = weft_ballot_mask(self, mask, " + std::string(leaves_when_true ? "!" : "") + condition + ", " +
         std::to_string(parent_.site(last)) + ");");
  }
  line("if (" + (leaves_when_true ? without_parentheses(condition) : "!" + condition) + ") {");
  phi_copies(last_label, header.merge);
  line("break;");
  line("}");
}

void FunctionEmitter::continue_point(const Work& work) {
  const Construct& body = structure_.constructs[work.construct];
  const std::string id = std::to_string(body.header);
  add({"}", end_label(work.construct)});
  label(end_label(work.construct));
  if (for_subgroup_) {
    if (masked(work.construct)) arrive(work.construct, "iteration_" + id, body.end);
  } else if (masked(work.construct)) {
    const bool all_arrive = crossing_[work.construct].empty();
    line(all_arrive ? "mask = iteration_" + id + ";"
                    : "mask = weft_ballot_mask(self, iteration_" + id + ", exit_to == 0u, " +
                          std::to_string(parent_.site(function_.block(body.header).terminator())) + ");");
    dispatch_exits(work.construct);
  }
  if (body.end == body.header) return;
  Work next;
  next.kind = Work::Kind::block;
  next.construct = structure_.continue_of.at(body.parent);
  next.label = body.end;
  next.natural = body.header;
  push({next});
}

void FunctionEmitter::construct_end(const Work& work) {
  const Construct construct = structure_.constructs[work.construct];
  const std::string id = std::to_string(construct.header);
  label(end_label(work.construct));
  if (const auto cases = structure_.cases.find(work.construct); cases != structure_.cases.end()) {
    auto& targets = crossing_[work.construct];
    for (const int c : cases->second) {
      for (const Id target : crossing_[c]) {
        if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
      }
    }
  }
  if (for_subgroup_) {
    if (masked(work.construct)) arrive(work.construct, "entry_" + id, construct.end);
    level_ = level_in(construct.parent);
  } else if (masked(work.construct)) {
    const bool all_arrive = crossing_[work.construct].empty();
    if (!all_arrive) {
      line("mask = weft_ballot_mask(self, entry_" + id + ", exit_to == 0u, " +
           std::to_string(parent_.site(function_.block(construct.header).terminator())) + ");");
    } else if (construct.acts) {
      line("mask = entry_" + id + ";");
    }
    dispatch_exits(work.construct);
  }
  if (structure_.resolve(construct.parent, construct.end).kind != Structure::Target::Kind::inside) {
    jump(construct.end, construct.parent, work.natural);
    return;
  }
  Work next;
  next.kind = Work::Kind::block;
  next.construct = construct.parent;
  next.label = construct.end;
  next.natural = work.natural;
  push({next});
}

}  // namespace weft::translate
