#include "backends/translate/masks.h"

namespace weft::translate {

Masks::Masks(const Structure& structure, bool acts, bool runs_once) : structure_(structure), runs_once_(runs_once) {
  if (runs_once)
    find_of_subgroups();
  else
    find_of_invocations(acts);
}

// From the outside in: a construct follows the one around it.
void Masks::find_of_invocations(bool acts) {
  const std::vector<Construct>& all = structure_.constructs;
  lane_root_.assign(all.size(), -1);
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    const int around = all[c].parent;
    const bool is_tracked = around < 0 || tracked_[around];  // whether the enclosing construct is tracked
    const bool is_masked = c != 0 && is_tracked && wants_mask(c);
    tracked_.push_back(acts && is_tracked && (c == 0 || all[c].acts));
    masked_.push_back(is_masked);
    innermost_.push_back(is_masked ? c : around < 0 ? -1 : innermost_[around]);
  }
}

// Constructs that contain no subgroup operation or barrier and that nothing leaves early run within a loop over the
// lanes, as in scalar code.
void Masks::find_of_subgroups() {
  using K = Construct::Kind;
  const std::vector<Construct>& all = structure_.constructs;
  tracked_.assign(all.size(), false);
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    const Construct& one = all[c];
    const bool opens = one.kind == K::selection || one.kind == K::switch_ || one.kind == K::loop;
    const bool differs = one.parts_at_header || one.leaves_apart;
    const int around = one.parent < 0 ? -1 : lane_root_[one.parent];
    lane_root_.push_back(around >= 0 ? around : opens && differs && !one.acts && !one.escapes ? c : -1);
    const bool is_masked = lane_root_[c] < 0 && structure_.needs_mask(c);
    masked_.push_back(is_masked);
    innermost_.push_back(is_masked ? c : one.parent < 0 ? -1 : innermost_[one.parent]);
  }
}

bool Masks::wants_mask(int construct) const {
  using K = Construct::Kind;
  const Construct& c = structure_.constructs[construct];
  switch (c.kind) {
    case K::selection:
    case K::switch_:
      // Lanes that entered a construct together may also reach its end from different depths.
      return (c.parts_at_header || c.leaves_apart) && (c.acts || (c.escapes && c.acts_later));
    case K::switch_case:
      return masked_cases(c.parent);
    case K::loop:
      return c.leaves_apart && (c.acts || (c.escapes && c.acts_later));
    case K::loop_body:
      return c.leaves_apart && c.acts;
    default:
      return false;
  }
}

bool Masks::masked_cases(int switch_construct) const {
  if (runs_once_) return parts_lanes(switch_construct);
  return structure_.constructs[switch_construct].acts && masked(switch_construct);
}

int Masks::below(int from, int owner) const {
  const int found = innermost_[from];
  const bool is_below = found >= 0 && (owner < 0 || structure_.depth(found) > structure_.depth(owner));
  return is_below ? found : -1;
}

bool Masks::parts_lanes(int construct) const {
  return runs_once_ && lane_root_[construct] < 0 && structure_.constructs[construct].parts_at_header;
}

}  // namespace weft::translate
