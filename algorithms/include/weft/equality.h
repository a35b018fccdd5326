#pragma once

#include <string>

namespace weft {

/// When two neighbouring elements belong to one run. A plain value.
struct Equality {
  std::string same;  ///< GLSL expression of `a` and `b`, the earlier and the later; empty: the elements' own equality.

  /// Scalars are the same when GLSL's == says so: -0 and +0 are, NaN is not even itself. Structs when all their words
  /// are.
  static Equality own() { return {}; }
  /// A run goes on while the expression is true of each two neighbours: Equality::when("a.cell == b.cell").
  static Equality when(std::string expression) { return {std::move(expression)}; }
};

}  // namespace weft
