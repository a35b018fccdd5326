#include "backends/translate/function_emitter.h"

// Finds the constructs that need a mask of active lanes: those where lanes may diverge and that contain a subgroup
// operation, or that some lanes leave for good while others reach one.
namespace weft::translate {

// From the outside in: a construct follows the one around it.
void FunctionEmitter::find_masks() {
  if (for_subgroup_) return find_lane_masks();
  const std::vector<Construct>& all = structure_.constructs;
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    const int around = all[c].parent;
    const bool is_tracked = around < 0 || tracked_[around];  // whether the enclosing construct is tracked
    const bool is_masked = c != 0 && is_tracked && wants_mask(c);
    tracked_.push_back(acts_ && is_tracked && (c == 0 || all[c].acts));
    masked_.push_back(is_masked);
    innermost_masked_.push_back(is_masked ? c : around < 0 ? -1 : innermost_masked_[around]);
  }
}

bool FunctionEmitter::wants_mask(int construct) const {
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

bool FunctionEmitter::masked_cases(int switch_construct) const {
  if (for_subgroup_) return parts_lanes(switch_construct);
  return structure_.constructs[switch_construct].acts && masked(switch_construct);
}

int FunctionEmitter::masked_below(int from, int owner) const {
  const int innermost = innermost_masked_[from];
  const bool is_below = innermost >= 0 && (owner < 0 || structure_.depth(innermost) > structure_.depth(owner));
  return is_below ? innermost : -1;
}

bool FunctionEmitter::is_uniform(Id condition) const { return !is_divergent(condition) || parent_.agree(condition); }

}  // namespace weft::translate
