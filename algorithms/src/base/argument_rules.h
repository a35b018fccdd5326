#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft::algorithms {

/// What a plan does with the memory of an argument.
enum class Access : uint8_t { read, written, updated };

/// Where the memory of a written argument may be that of another.
enum class Sharing : uint8_t {
  none,
  same,    ///< All of it, from its first byte on, with elements of the same size.
  within,  ///< Anywhere in it.
};

/// What one argument of a plan may share memory with. Arguments that are only read may share with one another.
struct ArgumentRule {
  std::string_view name;  ///< As messages have it.
  Access access = Access::read;
  Sharing sharing = Sharing::none;
  std::array<std::string_view, 2> with{};  ///< Those that it may share with; empty names are none.

  bool may_share_with(std::string_view other) const { return with[0] == other || with[1] == other; }
};

struct PlanRules {
  std::string_view plan;
  std::span<const ArgumentRule> arguments;

  /// Throws invalid_argument when there is no such argument, which would be the plan's own mistake.
  size_t index_of(std::string_view argument) const;
  /// In words, for the tables of docs/primitives/: "`output` over `input`", or "no".
  std::string in_place() const;
};

/// The rules of all plans: the one place that knows them. ArgumentChecks holds each record() to them.
std::span<const PlanRules> all_plan_rules();
/// Throws invalid_argument when there is no such plan, likewise.
const PlanRules& rules_of(std::string_view plan);

constexpr size_t most_arguments = 10;  ///< Of one plan.

}  // namespace weft::algorithms
