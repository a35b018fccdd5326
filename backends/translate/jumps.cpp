#include <algorithm>

#include "backends/translate/flow.h"

// Branches that leave constructs.
namespace weft::translate {

std::string Flow::end_label(int ended) const {
  const Construct& c = construct(ended);
  const std::string id = std::to_string(c.header);
  switch (c.kind) {
    case Construct::Kind::loop_body:
      return "continue_" + id;
    case Construct::Kind::switch_case:
      return "case_" + std::to_string(c.entry) + "_of_" + id;
    default:
      return "merge_" + id;
  }
}

std::string Flow::case_variable(int switch_construct) const {
  return "case_" + std::to_string(construct(switch_construct).header);
}

std::string Flow::exit_text(Id target) { return target == to_return ? "WEFT_TO_RETURN" : std::to_string(target) + "u"; }

// A branch from a case to the merge block of its switch is not an exit: the end of the case leads there.
bool Flow::is_case_of(int one, int switch_construct) const {
  return one >= 0 && construct(one).kind == Construct::Kind::switch_case && construct(one).parent == switch_construct;
}

void Flow::jump(Id target, int from, Id natural) {
  const Structure::Target to = facts_.structure.resolve(from, target);
  if (target == natural && to.kind != Structure::Target::Kind::next_case) return;
  const int crossed = facts_.masks.below(from, to.construct);
  if (is_case_of(crossed, to.construct)) {
    line(body_.go_to(end_label(crossed)));
  } else if (crossed >= 0) {
    jump_to_end(target, crossed);
  } else if (target != natural || to.kind == Structure::Target::Kind::next_case) {
    direct_jump(target, from, to);
  }
}

// Leaves the masked construct `crossed` on the path to `target`.
void Flow::jump_to_end(Id target, int crossed) {
  leave(target, crossed);
  line(body_.go_to(end_label(crossed)));
}

// Notes that lanes on the path to `target` leave the masked construct `crossed` early.
void Flow::cross(Id target, int crossed) {
  uses_exit_ = true;
  auto& targets = crossing_[crossed];
  if (std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
}

// In a switch whose cases all lanes pass in order: the active lanes also take the case after this one.
void Flow::choose_next_case(int case_construct) {
  const int switch_construct = construct(case_construct).parent;
  const auto& cases = facts_.structure.cases.at(switch_construct);
  const auto at = std::ranges::find(cases, case_construct) - cases.begin();
  set_case(switch_construct, static_cast<size_t>(at) + 1);
}

void Flow::direct_jump(Id target, int from, const Structure::Target& to) {
  using K = Construct::Kind;
  if (to.kind == Structure::Target::Kind::next_case) {
    if (facts_.masks.masked_cases(construct(to.construct).parent)) {
      choose_next_case(to.construct);
      line(body_.go_to(end_label(to.construct)));
    } else {
      line(body_.go_to("case_" + std::to_string(target) + "_start"));
    }
    return;
  }
  // The constructs that C++'s break and continue leave.
  bool in_switch = false;
  int loop = -1;
  for (int c = from; c >= 0 && c != to.construct; c = construct(c).parent) {
    const Construct& one = construct(c);
    if (one.kind == K::switch_case && !facts_.masks.masked_cases(one.parent) && one.parent != to.construct)
      in_switch = true;
    if (one.kind == K::loop) loop = c;
  }
  if (to.kind == Structure::Target::Kind::back_edge) {
    if (loop < 0)
      line("continue;");
    else
      parent_.refuse(facts_.function.block(target).terminator(),
                     "is the target of a back edge from inside another loop");
    return;
  }
  const K kind = construct(to.construct).kind;
  const bool can_break = loop < 0 && !in_switch && (kind == K::loop || kind == K::switch_);
  if (can_break)
    line("break;");
  else
    line(body_.go_to(end_label(to.construct)));
}

}  // namespace weft::translate
