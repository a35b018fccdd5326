#pragma once

#include <string>

namespace weft {

/// An order of elements, written in GLSL. A plain value.
struct Comparison {
  /// GLSL expression of `a` and `b`: whether a comes before b. A strict weak order, as std::sort takes it: elements of
  /// which neither comes before the other are equal. Anything else gives a result that is not sorted, and may repeat
  /// some elements and lose others; `a < b` is no such order for floats with NaNs among them.
  std::string before;

  /// Scalars from the smallest to the largest; floats in a total order: -0 before +0, NaNs at the ends by their sign.
  /// Plans of structs throw invalid_argument for these two.
  static Comparison ascending() { return {"weft_ascending(a, b)"}; }
  static Comparison descending() { return {"weft_ascending(b, a)"}; }
  /// A user's order: Comparison::by("a.key < b.key").
  static Comparison by(std::string before) { return {std::move(before)}; }
};

}  // namespace weft
