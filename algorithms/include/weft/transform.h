#pragma once

#include <string>

#include <weft/element.h>

namespace weft {

/// What a primitive's elements are computed from as it reads them, so that what is computed never lies in memory.
struct Transform {
  Element from;            ///< What the input holds.
  std::string expression;  ///< GLSL expression of the element; see of().
  bool two = false;        ///< Whether it is of two inputs.

  /// `expression` gives an element from `x`, what the input holds, and `i`, its index (uint, the low 32 bits; `i_high`
  /// has the others). `T` is the element type in it: Transform::of(Element::of<uint8_t>(), "T(x)").
  static Transform of(Element from, std::string expression);
  /// Likewise from `x` and `y`, which a second input of the same type holds: Transform::of_two(element, "x * y").
  static Transform of_two(Element from, std::string expression);
};

}  // namespace weft
