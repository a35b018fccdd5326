#include "backends/translate/emitter.h"

// Which constructs need the mask of active lanes kept: those where lanes may part and that hold a subgroup operation,
// or that some lanes leave for good while others come to one.
namespace weft::translate {

void FunctionEmitter::analyse_masks() {
  auto& constructs = structure_.constructs;
  for (const auto& [label, inside] : structure_.construct_of) {
    const Block& block = function_.block(label);
    bool acts = false;
    for (const Instruction& i : block.code) {
      acts = acts || parent_.acts(i);
    }
    const Instruction& last = block.terminator();
    const bool parts = (last.op == spv::OpBranchConditional || last.op == spv::OpSwitch) && !is_uniform(last.arg(0));
    const auto opened = structure_.opened_by.find(label);
    const bool opens_selection = opened != structure_.opened_by.end() && block.merge_op == spv::OpSelectionMerge;
    if (opens_selection) constructs[opened->second].parts_at_header = parts;
    for (int c = opens_selection ? opened->second : inside; c >= 0; c = constructs[c].parent) {
      constructs[c].parts = constructs[c].parts || parts;
    }
    for (int c = inside; acts && c >= 0; c = constructs[c].parent) constructs[c].acts = true;
  }
  for (Construct& c : constructs) {  // an iteration is as active as its loop
    if (c.kind == Construct::Kind::loop_body || c.kind == Construct::Kind::loop_continue) {
      c.acts = constructs[c.parent].acts;
    }
    if (c.kind == Construct::Kind::switch_case) c.parts_at_header = constructs[c.parent].parts_at_header;
  }
  for (const auto& [label, inside] : structure_.construct_of) analyse_exits(function_.block(label), inside);
}

// Marks the constructs that the block's terminator leaves before their end.
void FunctionEmitter::analyse_exits(const Block& block, int inside) {
  using K = Construct::Kind;
  auto& constructs = structure_.constructs;
  const Instruction& last = block.terminator();
  const bool opens_selection = block.merge_op == spv::OpSelectionMerge;
  const int from = opens_selection ? structure_.opened_by.at(block.label) : inside;
  const bool parts = !opens_selection && last.op == spv::OpBranchConditional && !is_uniform(last.arg(0));
  std::vector<int> owners;
  if (last.op == spv::OpReturn || last.op == spv::OpReturnValue) owners.push_back(0);
  for (const Id target : successors(block, parent_.module)) {
    const Structure::Target to = structure_.resolve(from, target);
    if (to.kind == Structure::Target::Kind::end) owners.push_back(to.construct);
  }
  for (const int owner : owners) {
    bool apart = parts;
    const bool at_header =
        exits_at_header(block) && constructs[owner].kind == K::loop && constructs[owner].header == block.label;
    for (int c = from; c >= 0; c = constructs[c].parent) {
      Construct& construct = constructs[c];
      apart = apart || construct.parts_at_header || (construct.kind == K::loop && c != owner && construct.parts);
      const bool leaves_early = c != owner && !(construct.kind == K::switch_case && construct.parent == owner) &&
                                !(construct.kind == K::loop_body && at_header);
      if (leaves_early) construct.escapes = true;
      const bool is_loop = construct.kind == K::loop || construct.kind == K::loop_body;
      if (leaves_early || (is_loop && c == owner)) construct.leaves_apart = construct.leaves_apart || apart;
      if (c == owner) break;
    }
  }
}

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
      return (c.parts_at_header && (c.acts || c.escapes)) || (c.escapes && !c.acts && c.parts);
    case K::switch_case:
      return masked_cases(c.parent);
    case K::loop:
      return c.leaves_apart && (c.acts || c.escapes);
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

bool FunctionEmitter::is_uniform(Id condition) const {
  return parent_.constants.find(condition) != nullptr || parent_.uniform.contains(condition);
}

}  // namespace weft::translate
