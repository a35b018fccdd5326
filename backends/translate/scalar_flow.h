#pragma once

#include "backends/translate/flow.h"

namespace weft::translate {

/// The control flow of an invocation. `mask` has the active lanes of its subgroup, where a subgroup operation needs it:
/// a ballot where lanes part, and another one where they meet.
class ScalarFlow final : public Flow {
 public:
  using Flow::Flow;

 private:
  std::string head() override;
  void selection(const Block& block, const Work& work) override;
  void conditional(const Block& block, const Work& work) override;
  void masked_switch(const Block& block, const Work& work) override;
  void leave_at_header(const Block& header, Id last, bool leaves_when_true) override;
  void return_(const Instruction& instruction, int from) override;
  void leave(Id target, int crossed) override;
  void set_case(int switch_construct, size_t index) override;
  void reconverge(int ended, const std::string& entered) override;

  std::string ballot(const std::string& among, const std::string& condition, const Instruction& user);
  bool parts(int inside, Id condition) const;
  void dispatch_exits(int ended);

  std::string returned_;  // the variable for a value that is returned late
};

}  // namespace weft::translate
