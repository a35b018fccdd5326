#pragma once

#include <string>

namespace weft::backend {
class Device;
}

namespace weft::core {

/// The plan that this thread makes, while this object lives: the kernels and plans made meanwhile belong to it. Gives
/// the device's PlanRecorder the plan, unless it belongs to another.
class MakingPlan {
 public:
  /// `line` is the plan in a list of plans.
  MakingPlan(const backend::Device& device, std::string line);
  /// On a thread that helps to make a plan: null for none.
  explicit MakingPlan(const MakingPlan* outer);
  ~MakingPlan();
  MakingPlan(const MakingPlan&) = delete;

  /// The outermost plan that this thread makes; null if it makes none.
  static const MakingPlan* current();
  const std::string& line() const { return line_; }

 private:
  std::string line_;
  const MakingPlan* outer_;
};

}  // namespace weft::core
