#pragma once

#include <string>

namespace weft {

/// An ordering of elements, written in GLSL. A plain value.
struct Comparison {
  /// GLSL expression of `a` and `b`: true if a comes before b. It must be a strict weak ordering, as for std::sort;
  /// elements are equal if neither comes before the other. With anything else the result is not sorted and may repeat
  /// or lose elements. For floats with NaNs, `a < b` is not a strict weak ordering.
  std::string before;

  /// Scalars from the smallest to the largest. Floats have a total order: -0 before +0, NaNs at the ends by their sign.
  /// Plans for structs throw invalid_argument for these two.
  static Comparison ascending() { return {"weft_ascending(a, b)"}; }
  static Comparison descending() { return {"weft_ascending(b, a)"}; }
  /// An ordering of your own: Comparison::by("a.key < b.key").
  static Comparison by(std::string before) { return {std::move(before)}; }
};

}  // namespace weft
