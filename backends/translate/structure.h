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
    switch_,        ///< Encloses all cases.
    switch_case,    ///< One case; its parent is the switch.
    loop,           ///< All iterations.
    loop_body,      ///< One iteration up to the continue target; its parent is the loop.
    loop_continue,  ///< The continue construct; its parent is the loop.
  };
  Kind kind = Kind::function;
  int parent = -1;
  Id header = 0;
  /// The label at which its lanes reconverge: a merge block, the continue target, or for a continue construct the
  /// header.
  Id end = 0;
  Id entry = 0;      ///< A case's first block, or a continue construct's continue target.
  Id next_case = 0;  ///< The case that a case falls through to, if any.

  // Properties that matter to subgroup operations; see masks.cpp.
  bool acts = false;        ///< Contains a subgroup operation.
  bool acts_later = false;  ///< Its lanes may reach a subgroup operation, in it or after it.
  bool escapes = false;     ///< Contains a branch to somewhere other than its end.
  bool parts = false;       ///< Lanes may diverge at a branch in it, or at its own.
  bool parts_at_header = false;
  bool leaves_apart = false;  ///< Its lanes may leave it at different times.
};

/// A function's constructs and the blocks in them.
class Structure {
 public:
  /// Throws unsupported for control flow that is not structured.
  Structure(const Module& module, const Function& function);

  /// The target of a branch from a block in construct `from`.
  struct Target {
    enum class Kind { inside, end, next_case, back_edge };
    Kind kind = Kind::inside;
    int construct = -1;  ///< The construct that the target ends, or the case that it begins.
  };
  Target resolve(int from, Id label) const;
  /// Whether a construct equals another one or is inside it.
  bool lies_in(int construct, int other) const;
  /// The innermost construct around two.
  int common(int one, int other) const;
  uint32_t depth(int construct) const { return links_[construct].depth; }

  using IsUniform = std::function<bool(Id condition)>;
  using Acts = std::function<bool(const Instruction& instruction)>;
  /// Sets the members of Construct about subgroup operations and divergence.
  void find_divergence(const IsUniform& is_uniform, const Acts& acts);
  /// For a subgroup as one flow of control, after find_divergence(): what each lane runs alone, lanes leave one by one.
  void let_lanes_run_alone();
  /// Whether lanes part at the header, or leave at different times.
  bool needs_mask(int construct) const;
  /// See divergence.cpp; after find_divergence().
  bool is_apart(Id label, int within = -1) const;
  /// For the entry point, from which lanes do not return.
  void forget_returns();
  /// Whether lanes may reach this block by different paths.
  bool lanes_join_at(Id label) const;
  /// Whether lanes may get from the block to a subgroup operation, in it or after it.
  bool acts_from(Id label) const { return leads_to_acting_.contains(label); }
  std::vector<Id> way_out(const Block& header) const;

  /// Blocks at which branches of one construct join before its end; see joins.h.
  std::unordered_set<Id> meetings;
  std::vector<Construct> constructs;
  std::unordered_map<Id, int> construct_of;           ///< The innermost construct around a block.
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
  // Links in the tree of constructs. Steps upward grow, so searches are short at any depth.
  struct Link {
    uint32_t depth = 0;
    int far = 0;  // some enclosing construct; the outermost has itself
  };
  std::vector<Link> links_;
  std::unordered_set<Id> leads_to_acting_;
  std::vector<uint32_t> apart_;                    // number of enclosing constructs with divergent headers or exits
  std::unordered_map<Id, std::vector<int>> ends_;  // constructs that a label ends, or whose next case it begins
  std::unordered_map<Id, std::vector<int>> case_entries_;  // cases that a label begins
  std::unordered_map<Id, uint32_t> entered_;               // number of blocks that branch to a label
  std::vector<std::pair<Id, int>> open_;                   // blocks to visit, with their construct
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
