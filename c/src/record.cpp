#include "c/src/record.h"

namespace weft::c {
namespace {

/// Records as the C++ interface does. The plan is `auto`, since clang checks what does not depend on a parameter in the
/// branch that is not taken too.
template <typename Parameters>
constexpr auto record = [](const auto& plan, Recorder& recorder, const auto& arguments) {
  if constexpr (requires { Parameters::record(plan, recorder, arguments); }) {
    Parameters::record(plan, recorder, arguments);
  } else {
    plan.record(recorder, arguments);
  }
};

template <typename Parameters>
constexpr auto refit = [](const PlanOf<Parameters>& plan, Recorder& recorder, const auto& arguments) {
  Parameters::refit(plan, recorder, arguments);
};

}  // namespace

void refuse_end(const char* name) {
  refuse("the size of 'arguments' ends within the member '" + std::string(name) + "'.");
}

void refuse_number(const char* name) { refuse("'" + std::string(name) + "' does not fit into 32 bits."); }

}  // namespace weft::c

#define WEFT_RECORD_BY(function, name, plan, by)                                                \
  weft_result weft_record_##function(weft_recorder* recorder, const weft_plan* of,              \
                                     const weft_##name##_arguments* arguments) {                \
    using Parameters = weft::algorithms::plan##Parameters;                                      \
    return weft::c::record_plan<Parameters>(__func__, recorder, of, arguments, by<Parameters>); \
  }
#define WEFT_RECORD(name, plan) WEFT_RECORD_BY(name, name, plan, weft::c::record)
#define WEFT_REFIT(name, plan) WEFT_RECORD_BY(name##_refit, name, plan, weft::c::refit)
#include "c/src/recorded_plans.h"
