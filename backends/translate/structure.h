#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/module.h"

namespace weft::translate {

/// One construct of structured control flow.
struct Construct {
  enum class Kind {
    function,
    selection,      ///< if
    switch_,        ///< All cases together.
    switch_case,    ///< One case; its parent is the switch.
    loop,           ///< All iterations.
    loop_body,      ///< One iteration up to the continue target; its parent is the loop.
    loop_continue,  ///< The continue construct; its parent is the loop.
  };
  Kind kind = Kind::function;
  int parent = -1;
  Id header = 0;
  /// Where its lanes meet again: a merge block, the continue target, the header for the continue construct.
  Id end = 0;
  Id entry = 0;      ///< A case's first block, the continue target of a continue construct.
  Id next_case = 0;  ///< A case's: the one that it falls through to, if any.

  // What subgroup operations ask of it; see masks.cpp.
  bool acts = false;        ///< Holds a subgroup operation.
  bool acts_later = false;  ///< Lanes may come from it to a subgroup operation, in it or behind it.
  bool escapes = false;     ///< Something in it branches to elsewhere than its end.
  bool parts = false;       ///< Lanes may part at a branch in it, or at its own.
  bool parts_at_header = false;
  bool leaves_apart = false;  ///< Lanes may leave it at different times.
};

/// A function's constructs, and which of them each block lies in.
class Structure {
 public:
  /// Throws unsupported for control flow that is not structured.
  Structure(const Module& module, const Function& function);

  /// Where a branch from a block in construct `from` leads.
  struct Target {
    enum class Kind { inside, end, next_case, back_edge };
    Kind kind = Kind::inside;
    int construct = -1;  ///< Whose end or case it is.
  };
  Target resolve(int from, Id label) const;
  /// Whether a construct is another one or lies in it.
  bool lies_in(int construct, int other) const;
  /// The innermost construct around two.
  int common(int one, int other) const;
  uint32_t depth(int construct) const { return places_[construct].depth; }

  using IsUniform = std::function<bool(Id condition)>;
  using Acts = std::function<bool(const Instruction& instruction)>;
  /// Fills in what Construct says of subgroup operations and of lanes that part.
  void find_divergence(const IsUniform& is_uniform, const Acts& acts);
  /// See divergence.cpp; after find_divergence().
  bool is_apart(Id label, int within = -1) const;
  /// Of the entry point, from which lanes do not come back anywhere.
  void forget_returns();
  /// Lanes may come to this block by different ways.
  bool lanes_join_at(Id label) const;
  /// Whether lanes may come from the block to a subgroup operation, in it or behind it.
  bool acts_from(Id label) const { return leads_to_acting_.contains(label); }
  std::vector<Id> way_out(const Block& header) const;

  /// Blocks that branches of one construct meet at before its end; see joins.h.
  std::unordered_set<Id> meetings;
  std::vector<Construct> constructs;
  std::unordered_map<Id, int> construct_of;           ///< The innermost construct that a block lies in.
  std::unordered_map<Id, int> opened_by;              ///< The construct that a header opens: selection, switch or loop.
  std::unordered_map<int, std::vector<int>> cases;    ///< Of a switch, in an order that lets them fall through.
  std::unordered_map<int, int> body_of, continue_of;  ///< Of a loop.

 private:
  void pass_on_outwards();
  void count_apart();
  void find_what_acts_later(const std::vector<Id>& acting);
  bool find_exits(const Block& block, int inside, const IsUniform& is_uniform);
  void walk();
  void open_merge(Id merge, int outer);
  void open_switch(const Block& header, int parent);
  std::vector<Id> ordered_cases(const Block& header, int switch_construct) const;
  int add(Construct::Kind kind, int parent, Id header, Id end);
  [[noreturn]] void refuse(const std::string& what) const;

  const Module& module_;
  const Function& function_;
  // In the tree of constructs; a way up in steps that grow, so that no depth makes a search long.
  struct Place {
    uint32_t depth = 0;
    int far = 0;  // some construct around, the outermost for itself
  };
  std::vector<Place> places_;
  std::unordered_set<Id> leads_to_acting_;
  std::vector<uint32_t> apart_;  // how many constructs around are parted at their header or left apart
  std::unordered_map<Id, std::vector<int>> ends_;          // the constructs that a label ends, or whose next case it is
  std::unordered_map<Id, std::vector<int>> case_entries_;  // the cases that a label begins
  std::unordered_map<Id, uint32_t> entered_;               // how many blocks branch to a label
  std::vector<std::pair<Id, int>> open_;                   // blocks to visit, and in which construct
};

/// The labels that a block's terminator may branch to, each once.
std::vector<Id> successors(const Block& block, const Module& module);

struct SwitchCase {
  uint64_t literal = 0;
  Id target = 0;
};
/// The literals of an OpSwitch with their targets; the default is arg(1).
std::vector<SwitchCase> switch_cases(const Instruction& instruction, const Module& module);

}  // namespace weft::translate
