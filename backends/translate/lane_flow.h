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
  void leave(Id target, int crossed) override { leave(target, crossed, "mask"); }
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

  std::string returned_;                // the variable for the lanes' values
  std::unordered_set<int> second_arm_;  // selections whose second side is being emitted
};

}  // namespace weft::translate
