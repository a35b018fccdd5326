#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "backends/translate/expression_emitter.h"

namespace weft::translate {

/// Emits a function: structured control flow around the code of its blocks. A block is emitted where control first
/// reaches it; a construct's end follows its text.
///
/// Lanes that leave a construct with a mask early first jump to its end: `exit_to` holds their destination. What
/// happens there, and where lanes part, depends on whether the function runs for each invocation or once for a
/// subgroup.
class Flow {
 public:
  Flow(ModuleEmitter& parent, const FunctionFacts& facts);
  virtual ~Flow() = default;
  Flow(const Flow&) = delete;
  std::string run();

 protected:
  /// Remaining work, on an explicit stack, so that nesting can be arbitrarily deep.
  struct Work {
    enum class Kind { block, branch, text, label, continue_point, construct_end, arm_end } kind = Kind::text;
    int construct = 0;  ///< Around the code. For continue_point, construct_end and arm_end: the one that ends.
    Id natural = 0;     ///< The label whose code follows in the text, so a branch there needs no jump.
    Id label = 0;       ///< The block or the branch's target.
    Id from = 0;        ///< The branch's source.
    std::string text;   ///< Or the name of the label.
  };
  static Work text(int construct, std::string line) { return {Work::Kind::text, construct, 0, 0, 0, std::move(line)}; }
  static Work label(int construct, std::string name) {
    return {Work::Kind::label, construct, 0, 0, 0, std::move(name)};
  }
  static Work code(Id label, int construct, Id natural) {
    return {Work::Kind::block, construct, natural, label, 0, ""};
  }
  static Work way(Id from, Id to, int construct, Id natural) {
    return {Work::Kind::branch, construct, natural, to, from, ""};
  }
  static Work end(int construct, Id natural) { return {Work::Kind::construct_end, construct, natural, 0, 0, ""}; }
  void push(const std::vector<Work>& items);

  // Where a function for each invocation differs from one that runs once for a subgroup.
  /// The text before the variables.
  virtual std::string head() = 0;
  /// After the last statement.
  virtual void finish() {}
  /// A conditional branch that opens a selection.
  virtual void selection(const Block& block, const Work& work) = 0;
  /// Another one: an exit from a construct, or a branch within one.
  virtual void conditional(const Block& block, const Work& work) = 0;
  /// A switch whose lanes pass all cases in order, each with those that take it.
  virtual void masked_switch(const Block& block, const Work& work) = 0;
  /// The exit of a loop by its header's own condition, in the block `last`.
  virtual void leave_at_header(const Block& header, Id last, bool leaves_when_true) = 0;
  virtual void return_(const Instruction& instruction, int from) = 0;
  /// Sends the active lanes to `target` by way of the end of the masked construct `crossed`.
  virtual void leave(Id target, int crossed) = 0;
  /// Makes the active lanes take the case with this index, in a switch whose lanes pass all cases.
  virtual void set_case(int switch_construct, size_t index) = 0;
  /// The end of a masked construct, or of an iteration. `entered` is the mask of the lanes that began it.
  virtual void reconverge(int construct, const std::string& entered) = 0;
  /// The end of the first side of a selection whose sides run one after the other.
  virtual void arm_end(const Work&) {}
  /// Where the lanes of a construct meet at its end.
  virtual std::string end_label(int construct) const;
  virtual void phi_copies(Id from, Id to);

  // flow.cpp
  std::string prototype(const std::string& returned, const char* self);
  void branch(Id from, Id target, int construct, Id natural);
  void phi_copies_where(Id from, Id to, const std::function<bool(Id)>& is_wanted);
  bool needs_text(Id from, Id to, Id natural) const;
  bool has_phi_copies(Id from, Id to) const;
  bool is_inside(int construct, Id label) const;
  /// An if. `take` and `leave` are lines at the beginning of its sides.
  void plain_selection(const Block& block, const Work& work, const std::string& condition, const std::string& take,
                       const std::string& leave);
  /// A conditional branch out of a construct.
  struct Exit {
    bool when_true = false;
    Id leaving = 0, staying = 0;
  };
  Exit exit_of(const Block& block, const Work& work) const;
  void plain_conditional(const Block& block, const Work& work, const std::string& condition);
  // switches.cpp
  std::string no_case(const Block& block) const;
  void choose_case(const Block& block, const std::string& variable, const std::string& exit);
  struct CaseEntry {
    std::string mask, condition;
  };
  void push_cases(const Block& block, const Work& work, const std::function<CaseEntry(size_t index)>& entry);
  // loops.cpp
  void plain_exit(const Block& header, Id last, bool leaves_when_true, const std::string& condition);
  // jumps.cpp
  void jump(Id target, int from, Id natural);
  void jump_to_end(Id target, int crossed);
  void direct_jump(Id target, int from, const Structure::Target& to);
  void choose_next_case(int case_construct);
  void cross(Id target, int crossed);
  bool is_case_of(int construct, int switch_construct) const;
  std::string case_variable(int switch_construct) const;
  static std::string exit_text(Id target);
  static constexpr Id to_return = 0xffffffff;  // represents the function's end among labels

  void line(const std::string& text) { body_.line(text); }
  std::string site(const Instruction& instruction) { return std::to_string(parent_.site(instruction)); }
  void enter(int construct) { body_.level = facts_.lanes.level_in(construct); }
  bool masked(int construct) const { return facts_.masks.masked(construct); }
  const Construct& construct(int index) const { return facts_.structure.constructs[index]; }
  int opened_by(const Block& header) const { return facts_.structure.opened_by.at(header.label); }

  ModuleEmitter& parent_;
  const FunctionFacts& facts_;
  Body body_;
  ExpressionEmitter expressions_;
  std::unordered_map<int, std::vector<Id>> crossing_;  // targets of exits that leave a masked construct early

 private:
  void emit_all();
  void emit_block(const Work& work);
  void emit_code(const Block& block);
  void terminator(const Block& block, const Work& work);
  // switches.cpp
  void plain_switch(const Block& block, const Work& work);
  std::string case_labels(const Instruction& instruction, Id target) const;
  // loops.cpp
  void find_effects();
  void open_loop(const Block& header, const Work& work);
  void continue_point(const Work& work);
  void construct_end(const Work& work);

  std::vector<Work> work_;
  std::unordered_set<Id> emitted_;
  std::vector<bool> has_effects_;  // of each construct
  bool uses_exit_ = false;
};

}  // namespace weft::translate
