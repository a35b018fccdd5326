#pragma once

#include <string>

#include <weft/api.h>
#include <weft/element.h>

namespace weft {

/// Computes a primitive's elements from its input as they are read. Reduce and Scan never store the computed elements
/// in memory.
struct WEFT_API Transform {
  Element from;            ///< Type of the input's elements.
  std::string expression;  ///< GLSL expression that computes an element; see of().
  bool two = false;        ///< Whether it takes two inputs.

  /// Computes an element from `x`, an element of the input, and `i`, its index (uint, the low 32 bits; `i_high` has the
  /// others). `T` is the type of the result: Transform::of(Element::of<uint8_t>(), "T(x)").
  static Transform of(Element from, std::string expression);
  /// Like of(), with `y` from a second input of the same type: Transform::of_two(element, "x * y").
  static Transform of_two(Element from, std::string expression);
};

}  // namespace weft
