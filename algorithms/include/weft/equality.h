#pragma once

#include <string>

namespace weft {

/// Whether two neighbouring elements belong to the same run. A plain value.
struct Equality {
  std::string same;  ///< GLSL expression of `a` and `b`, the earlier and the later. Empty: the elements' own equality.

  /// Scalars are compared by GLSL's ==: -0 equals +0, NaN does not even equal itself. Structs are equal if all their
  /// words are.
  static Equality own() { return {}; }
  /// A run continues while the expression is true of two neighbours: Equality::when("a.cell == b.cell").
  static Equality when(std::string expression) { return {std::move(expression)}; }
};

}  // namespace weft
