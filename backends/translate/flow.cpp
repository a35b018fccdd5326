#include "backends/translate/flow.h"

#include <algorithm>

namespace weft::translate {

Flow::Flow(ModuleEmitter& parent, const FunctionFacts& facts)
    : parent_(parent), facts_(facts), body_(parent.names), expressions_(parent, facts, body_) {
  find_effects();
}

std::string Flow::run() {
  emit_all();
  body_.level = Level::group;
  finish();
  std::string text = head();
  text += body_.variables();
  text += expressions_.declarations();
  if (uses_exit_) {
    const char* const type = parent_.in_vectors() ? "weft_wide<uint32_t>" : "weft_lanes<uint32_t>";
    text += std::string("  ") + (facts_.runs_once ? type : "uint32_t") +
            " exit_to = 0u;  // where lanes that leave early are headed: a label, or 0\n";
  }
  return text + body_.statements() + "}\n\n";
}

// Pointers to variables of lanes point to all of the subgroup's.
std::string Flow::prototype(const std::string& returned, const char* self) {
  std::string text =
      "WEFT_FN " + returned + " " + parent_.names.of(facts_.function.id) + "(weft_self& " + std::string(self);
  if (facts_.acts) text += ", weft_mask mask";
  for (const Instruction& parameter : facts_.function.parameters) {
    const Type& type = expressions_.type_of(parameter.result);
    const bool is_variable = type.kind == Kind::pointer && !Types::is_byte_addressed(type.storage);
    const bool of_lanes = facts_.lanes.is_per_lane(parameter.result);
    text += ", " + expressions_.type_name(is_variable ? type.element : type.id, of_lanes) + (is_variable ? "*" : "");
    text += " " + parent_.names.of(parameter.result);
  }
  return text + ")";
}

void Flow::emit_all() {
  work_.push_back(code(facts_.function.blocks.front().label, 0, 0));
  while (!work_.empty()) {
    const Work work = std::move(work_.back());
    work_.pop_back();
    enter(work.construct);
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
      case Work::Kind::label:
        body_.label(work.text);
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

void Flow::push(const std::vector<Work>& items) { work_.insert(work_.end(), items.rbegin(), items.rend()); }

void Flow::emit_block(const Work& work) {
  const Block& block = facts_.function.block(work.label);
  const bool is_loop = block.merge_op == spv::OpLoopMerge;
  const Construct& around = construct(work.construct);
  if (is_loop && !(around.kind == Construct::Kind::loop_body && around.header == work.label)) {
    open_loop(block, work);
    return;
  }
  emit_code(block);
  terminator(block, work);
}

void Flow::emit_code(const Block& block) {
  if (!emitted_.insert(block.label).second) {
    parent_.refuse(block.terminator(), "is reached by branches that are not structured");
  }
  expressions_.emit(block);
}

void Flow::terminator(const Block& block, const Work& work) {
  const Instruction& last = block.terminator();
  expressions_.line_comment(last);
  switch (last.op) {
    case spv::OpBranch:
      branch(block.label, last.arg(0), work.construct, work.natural);
      break;
    case spv::OpBranchConditional:
      if (block.merge_op == spv::OpSelectionMerge)
        selection(block, work);
      else
        conditional(block, work);
      break;
    case spv::OpSwitch:
      if (facts_.masks.masked_cases(opened_by(block)))
        masked_switch(block, work);
      else
        plain_switch(block, work);
      break;
    case spv::OpReturn:
    case spv::OpReturnValue:
      return_(last, work.construct);
      break;
    case spv::OpUnreachable:
      line("weft_unreachable(self, " + site(last) + ");");
      break;
    default:
      parent_.refuse(last);
  }
}

bool Flow::is_inside(int construct, Id label) const {
  return facts_.structure.resolve(construct, label).kind == Structure::Target::Kind::inside;
}

void Flow::branch(Id from, Id target, int construct, Id natural) {
  phi_copies(from, target);
  if (is_inside(construct, target))
    push({code(target, construct, natural)});
  else
    jump(target, construct, natural);
}

void Flow::phi_copies(Id from, Id to) {
  phi_copies_where(from, to, [](Id) { return true; });
}

// Values for these phis of `to`, all read before any is written.
void Flow::phi_copies_where(Id from, Id to, const std::function<bool(Id)>& is_wanted) {
  std::vector<std::pair<Id, Id>> copies;
  bool through_temporaries = false;
  const Block& target = facts_.function.block(to);
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
          through_temporaries || std::ranges::any_of(target.code, is_phi_here) || expressions_.is_lvalue(phi.args[k]);
      copies.emplace_back(phi.result, phi.args[k]);
      break;
    }
  }
  std::vector<std::string> values;
  for (const auto& [phi, source] : copies) {
    std::string text = expressions_.operand(source, phi);
    if (through_temporaries && copies.size() > 1) {
      const std::string next = body_.temporary("next_" + parent_.names.of(phi));
      const bool is_wide = parent_.in_vectors() && facts_.lanes.is_per_lane(phi);
      body_.declare(expressions_.type_name(parent_.module.type_of.at(phi), is_wide), next);
      line(next + " = " + text + ";");
      text = next;
    }
    values.push_back(std::move(text));
  }
  for (size_t k = 0; k < copies.size(); ++k) {
    line(expressions_.assignment(expressions_.element_of(copies[k].first), values[k], copies[k].first));
  }
}

bool Flow::has_phi_copies(Id from, Id to) const {
  return std::ranges::any_of(facts_.function.block(to).code, [&](const Instruction& phi) {
    if (phi.op != spv::OpPhi) return false;
    for (size_t k = 0; k + 1 < phi.args.size(); k += 2) {
      if (phi.args[k + 1] == from) return true;
    }
    return false;
  });
}

bool Flow::needs_text(Id from, Id to, Id natural) const { return to != natural || has_phi_copies(from, to); }

void Flow::plain_selection(const Block& block, const Work& work, const std::string& condition, const std::string& take,
                           const std::string& leave) {
  const Instruction& last = block.terminator();
  const int opened = opened_by(block);
  const Id yes = last.arg(1), no = last.arg(2);
  const bool yes_text = needs_text(block.label, yes, block.merge);
  const bool no_text = yes != no && needs_text(block.label, no, block.merge);
  std::vector<Work> items;
  const auto add_text = [&](const std::string& t) {
    if (!t.empty()) items.push_back(text(opened, t));
  };
  const auto add_arm = [&](Id target) { items.push_back(way(block.label, target, opened, block.merge)); };
  if (yes == no) {
    add_text("{");
    add_arm(yes);
    add_text("}");
  } else if (yes_text || no_text) {
    add_text("if (" + (yes_text ? ExpressionEmitter::without_parentheses(condition) : "!" + condition) + ") {");
    if (yes_text) {
      add_text(take);
      add_arm(yes);
    }
    if (yes_text && no_text) add_text("} else {");
    if (no_text) {
      add_text(leave);
      add_arm(no);
    }
    add_text("}");
  }
  items.push_back(end(opened, work.natural));
  push(items);
}

Flow::Exit Flow::exit_of(const Block& block, const Work& work) const {
  const Id yes = block.terminator().arg(1), no = block.terminator().arg(2);
  const bool when_true = !is_inside(work.construct, yes) && (is_inside(work.construct, no) || yes != work.natural);
  return {when_true, when_true ? yes : no, when_true ? no : yes};
}

void Flow::plain_conditional(const Block& block, const Work& work, const std::string& condition) {
  const Id yes = block.terminator().arg(1), no = block.terminator().arg(2);
  const std::string bare = ExpressionEmitter::without_parentheses(condition);
  const auto arm = [&](Id target, Id natural) { return way(block.label, target, work.construct, natural); };
  if (yes == no) {
    branch(block.label, yes, work.construct, work.natural);
  } else if (is_inside(work.construct, yes) && is_inside(work.construct, no)) {
    push({text(work.construct, "if (" + bare + ") {"), arm(yes, work.natural), text(work.construct, "} else {"),
          arm(no, work.natural), text(work.construct, "}")});
  } else {  // the path that continues, if any, stays outside the braces
    const Exit exit = exit_of(block, work);
    line("if (" + (exit.when_true ? bare : "!" + condition) + ") {");
    push({arm(exit.leaving, 0), text(work.construct, "}"), arm(exit.staying, work.natural)});
  }
}

}  // namespace weft::translate
