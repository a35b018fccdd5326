#include "python/src/plan.h"

#include <chrono>

#include "algorithms/src/plans/all_plans.h"
#include "python/src/stream.h"

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

  void record(Stream& stream, ArgumentReader& reader) const override { record(stream, arguments_in(reader)); }

  double seconds_to_record(OpenStream& stream, ArgumentReader& reader, uint64_t times) const override {
    const auto arguments = arguments_in(reader);
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t i = 0; i < times; ++i) {
      stream.alone([&](Stream& inner) {
        record(inner, arguments);
        stream.note_command(inner);
      });
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void refit([[maybe_unused]] Stream& stream, [[maybe_unused]] ArgumentReader& reader) const override {
    if constexpr (requires { &Parameters::refit; }) {
      Parameters::refit(plan_, stream, arguments_in(reader));
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
  static auto arguments_in(ArgumentReader& reader) {
    const auto arguments = Parameters::arguments(reader);
    reader.require_all_read();
    return arguments;
  }

  template <typename Arguments>
  void record(Stream& stream, const Arguments& arguments) const {
    if constexpr (requires { Parameters::record(plan_, stream, arguments); }) {
      Parameters::record(plan_, stream, arguments);
    } else {
      plan_.record(stream, arguments);
    }
  }

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
