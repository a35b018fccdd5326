#include "tools/pack/listed_plan.h"

#include <utility>

#include "algorithms/src/plans/all_plans.h"

namespace weft::tools {
namespace {

template <typename Parameters>
class Listed : public ListedPlan {
 public:
  explicit Listed(Parameters parameters) : parameters_(std::move(parameters)) {}

  std::string line() const override { return algorithms::plan_line(parameters_); }
  void make(const Device& device) const override { static_cast<void>(parameters_.make(device)); }
  uint64_t max_count() const override {
    if constexpr (requires { parameters_.max_count; }) return parameters_.max_count;
    return 0;
  }
  std::unique_ptr<ListedPlan> with_max_count(uint64_t count) const override {
    Parameters changed = parameters_;
    if constexpr (requires { changed.max_count; }) changed.max_count = count;
    return std::make_unique<Listed>(std::move(changed));
  }

 private:
  Parameters parameters_;
};

}  // namespace

std::unique_ptr<ListedPlan> ListedPlan::parse(const std::string& line) {
  std::unique_ptr<ListedPlan> plan;
  algorithms::read_plan(
      line, [&](auto parameters) { plan = std::make_unique<Listed<decltype(parameters)>>(std::move(parameters)); });
  return plan;
}

}  // namespace weft::tools
