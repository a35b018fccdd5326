#include "backends/translate/emitter.h"

// Which constructs need the mask of active lanes kept: those where lanes may part and that hold a subgroup operation,
// or that some lanes leave for good while others come to one.
namespace weft::translate {

bool FunctionEmitter::tracked(int construct) const {
  if (!acts_) return false;
  for (int c = construct; c > 0; c = structure_.constructs[c].parent) {
    if (!structure_.constructs[c].acts) return false;
  }
  return true;
}

bool FunctionEmitter::masked(int construct) const {
  using K = Construct::Kind;
  const Construct& c = structure_.constructs[construct];
  if (construct == 0 || !tracked(c.parent)) return false;
  switch (c.kind) {
    case K::selection:
    case K::switch_:
      // Lanes may also come to the end of one that they entered together from different depths.
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
  return structure_.constructs[switch_construct].acts && masked(switch_construct);
}

int FunctionEmitter::masked_below(int from, int owner) const {
  for (int c = from; c >= 0 && c != owner; c = structure_.constructs[c].parent) {
    if (masked(c)) return c;
  }
  return -1;
}

bool FunctionEmitter::is_uniform(Id condition) const { return !parent_.divergent.contains(condition); }

}  // namespace weft::translate
