#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "algorithms/src/plans/all_plans.h"
#include "c/src/objects.h"

namespace weft::c {

template <typename Parameters, typename Tuple>
struct IndexIn;
template <typename Parameters, typename... All>
struct IndexIn<Parameters, std::tuple<All...>> {
  static constexpr size_t value = [] {
    size_t index = 0;
    static_cast<void>(((std::is_same_v<Parameters, All> || (++index, false)) || ...));
    return index;
  }();
};
/// Which plan of all it is.
template <typename Parameters>
constexpr size_t plan_index = IndexIn<Parameters, algorithms::AllParameters>::value;

/// A plan made from its parameters.
template <typename Parameters>
using PlanOf = decltype(std::declval<Parameters>().make(std::declval<Device>()));

template <typename Parameters>
class MadePlan final : public AnyPlan {
 public:
  explicit MadePlan(PlanOf<Parameters> made) : plan(std::move(made)) {}

  uint64_t property(const std::string& name) const override;
  uint64_t temporary_bytes() const override;

  const PlanOf<Parameters> plan;
};

}  // namespace weft::c
