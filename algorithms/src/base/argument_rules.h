#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::algorithms {

/// How a plan accesses an argument's memory.
enum class Access : uint8_t { read, written, updated };

/// How a written argument may overlap another.
enum class Sharing : uint8_t {
  none,
  same,    ///< It starts at the same byte and has elements of the same size.
  within,  ///< Anywhere inside the other.
};

/// Which other arguments of a plan an argument may overlap. Arguments that are only read may overlap one another.
struct ArgumentRule {
  std::string_view name;  ///< The name in messages.
  Access access = Access::read;
  Sharing sharing = Sharing::none;
  std::array<std::string_view, 2> with{};  ///< Arguments that it may overlap; empty names for none.

  bool may_share_with(std::string_view other) const { return with[0] == other || with[1] == other; }
};

struct PlanRules {
  std::string_view plan;
  std::span<const ArgumentRule> arguments;

  /// Throws unsupported if there is no such argument: a mistake of the plan's source, not of its caller.
  size_t index_of(std::string_view argument) const;
  /// In words, for the tables of docs/primitives/: "`output` over `input`", or "no".
  std::string in_place() const;
};

/// The rules of all plans, defined only here. ArgumentChecks enforces them in each record().
std::span<const PlanRules> all_plan_rules();
/// Throws unsupported if there is no such plan: a mistake of a source, too.
const PlanRules& rules_of(std::string_view plan);

constexpr size_t most_arguments = 12;  ///< Of any plan.

}  // namespace weft::algorithms
