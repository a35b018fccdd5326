#pragma once

#include <unordered_set>

#include "backends/translate/flow.h"

namespace weft::translate {

/// The control flow of a function that runs once for a subgroup. Constructs that contain no subgroup operation or
/// barrier and that nothing leaves early run within a loop over the lanes, as in scalar code. In others, `mask` has the
/// lanes that run, both sides of a branch run one after the other, and lanes that leave a construct wait at its end.
class LaneFlow final : public Flow {
 public:
  LaneFlow(ModuleEmitter& parent, const FunctionFacts& facts);

 private:
  std::string head() override;
  void finish() override;
  void selection(const Block& block, const Work& work) override;
  void conditional(const Block& block, const Work& work) override;
  void masked_switch(const Block& block, const Work& work) override;
  void leave_at_header(const Block& header, Id last, bool leaves_when_true) override;
  void return_(const Instruction& instruction, int from) override;
  void leave(Id target, int crossed) override;
  void set_case(int switch_construct, size_t index) override;
  void reconverge(int ended, const std::string& entered) override;
  void arm_end(const Work& work) override;
  std::string end_label(int ended) const override;
  void phi_copies(Id from, Id to) override;

  bool parts(Id condition) const { return body_.level == Level::group && !parent_.is_uniform(condition); }
  void vote(const std::string& mask, Id condition, bool negated);
  std::string agreement(Id label, Id condition);
  void parting_selection(const Block& block, const Work& work);
  void parting_conditional(const Block& block, const Work& work);
  void parting_exit(const Block& header, Id last, bool leaves_when_true);
  void leave(Id target, int crossed, const std::string& lanes);
  std::string return_text() const;

  bool is_cheap(Id target, int selection) const;
  bool leaves_at_once(Id target, int selection) const;
  bool leave_unconditionally(const Block& block, Id target);
  bool keeps_mask(int ended, const std::string& entered);

  /// In vectors: the lanes that get to the end of a parted selection's first side, as an expression, and whether `mask`
  /// has those of the second one.
  struct Arms {
    std::string first;
    bool has_second = false;
  };
  std::unordered_map<int, Arms> arms_;
  std::unordered_set<int> left_early_;  // selections that lanes leave for their ends, by themselves
  bool returns_once_ = false;           // in one statement
  std::string returned_;                // the variable for the lanes' values
  std::unordered_set<int> second_arm_;  // selections whose second side is being emitted
};

}  // namespace weft::translate
