#include "python/src/plan.h"

#include "algorithms/src/plans/all_plans.h"

namespace weft::python {
namespace {

template <typename Plan>
struct PropertyLister {
  const Plan& plan;
  nb::dict values{};

  template <typename T>
  void operator()(const char* name, T (Plan::*function)() const) {
    values[name] = (plan.*function)();
  }
};

template <typename Parameters>
class MadePlan final : public AnyPlan {
  using Plan = decltype(std::declval<Parameters>().make(std::declval<Device>()));

 public:
  MadePlan(const Parameters& parameters, const Device& device) : plan_(parameters.make(device)) {}

  const char* name() const override { return Parameters::plan; }

  void record(Stream& stream, ArgumentReader& reader) const override {
    const auto arguments = Parameters::arguments(reader);
    reader.require_all_read();
    if constexpr (requires { Parameters::record(plan_, stream, arguments); }) {
      Parameters::record(plan_, stream, arguments);
    } else {
      plan_.record(stream, arguments);
    }
  }

  void refit([[maybe_unused]] Stream& stream, [[maybe_unused]] ArgumentReader& reader) const override {
    if constexpr (requires { &Parameters::refit; }) {
      const auto arguments = Parameters::arguments(reader);
      reader.require_all_read();
      Parameters::refit(plan_, stream, arguments);
    } else {
      throw nb::type_error((std::string(Parameters::plan) + " has no refit; Lbvh has one.").c_str());
    }
  }

  uint64_t temporary_bytes() const override {
    if constexpr (requires { plan_.temporary_bytes(); }) return plan_.temporary_bytes();
    return 0;
  }

  nb::dict properties() const override {
    PropertyLister<Plan> lister{plan_};
    if constexpr (requires { Parameters::properties(lister); }) Parameters::properties(lister);
    return lister.values;
  }

 private:
  const Plan plan_;
};

}  // namespace

std::unique_ptr<AnyPlan> make_plan(const Device& device, const std::string& line) {
  std::unique_ptr<AnyPlan> plan;
  algorithms::read_plan(line, [&]<typename Parameters>(const Parameters& parameters) {
    plan = std::make_unique<MadePlan<Parameters>>(parameters, device);
  });
  return plan;
}

}  // namespace weft::python
