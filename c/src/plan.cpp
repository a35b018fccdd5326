#include <optional>

#include "c/src/plan_table.h"

namespace weft::c {
namespace {

/// Finds a property of a plan by its name.
template <typename Plan>
struct PropertyFinder {
  const Plan& plan;
  const std::string& name;
  std::optional<uint64_t> value{};
  std::string names{};

  template <typename T>
  void operator()(const char* property, T (Plan::*function)() const) {
    if (property == name) value = (plan.*function)();
    names += (names.empty() ? "" : ", ") + std::string(property);
  }
};

template <typename Parameters>
std::unique_ptr<weft_plan> made(const Parameters& parameters, const Device& device) {
  auto plan = std::make_unique<weft_plan>();
  plan->index = plan_index<Parameters>;
  plan->plan = std::make_unique<MadePlan<Parameters>>(parameters.make(device));
  return plan;
}

const char* name_of(size_t index) {
  const char* name = nullptr;
  size_t at = 0;
  algorithms::each_plan([&](const auto& parameters) {
    if (at++ == index) name = parameters.plan;
  });
  return name;
}

}  // namespace

template <typename Parameters>
uint64_t MadePlan<Parameters>::property(const std::string& name) const {
  PropertyFinder<PlanOf<Parameters>> finder{plan, name};
  if constexpr (requires { Parameters::properties(finder); }) Parameters::properties(finder);
  if (finder.value) return *finder.value;
  refuse("a " + std::string(Parameters::plan) + " has no property '" + name + "'; it has " +
         (finder.names.empty() ? "none" : finder.names) + ".");
}

template <typename Parameters>
uint64_t MadePlan<Parameters>::temporary_bytes() const {
  if constexpr (requires { plan.temporary_bytes(); }) return plan.temporary_bytes();
  return 0;
}

void refuse_plan(size_t wanted, size_t index) {
  refuse("'plan' takes a plan " + std::string(name_of(wanted)) + "; this is a " + name_of(index) + ".");
}

}  // namespace weft::c

using namespace weft::c;

weft_result weft_create_plan(const weft_device* device, const char* line, weft_plan** plan) {
  return create(__func__, plan, [&] {
    const weft::Device& on = checked(device, "device").device;
    std::unique_ptr<weft_plan> result;
    weft::algorithms::read_plan(given(line, "line"), [&](const auto& parameters) { result = made(parameters, on); });
    return result;
  });
}

weft_result weft_destroy_plan(weft_plan* plan) { return destroy(__func__, plan); }

weft_result weft_get_plan_name(const weft_plan* plan, const char** name) {
  return guarded(__func__, [&] { *given(name, "name") = name_of(checked(plan, "plan").index); });
}

weft_result weft_get_temporary_bytes(const weft_plan* plan, uint64_t* bytes) {
  return guarded(__func__, [&] { *given(bytes, "bytes") = checked(plan, "plan").plan->temporary_bytes(); });
}

weft_result weft_get_plan_property(const weft_plan* plan, const char* name, uint64_t* value) {
  return guarded(__func__, [&] {
    const AnyPlan& made = *checked(plan, "plan").plan;
    *given(value, "value") = made.property(given(name, "name"));
  });
}
