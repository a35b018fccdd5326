#include "core/src/runtime/making_plan.h"

#include <utility>

#include <weft/plan_recorder.h>

#include "core/src/runtime/backend.h"

namespace weft::core {
namespace {

thread_local const MakingPlan* outermost = nullptr;

}  // namespace

MakingPlan::MakingPlan(const backend::Device& device, std::string line) : line_(std::move(line)), outer_(outermost) {
  if (outer_) return;
  if (const auto& recorder = device.options().recorder) recorder->plan(line_);
  outermost = this;
}

MakingPlan::MakingPlan(const MakingPlan* outer) : outer_(outermost) { outermost = outer; }

MakingPlan::~MakingPlan() { outermost = outer_; }

const MakingPlan* MakingPlan::current() { return outermost; }

}  // namespace weft::core
