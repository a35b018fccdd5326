#pragma once

#include <string>

#include <weft/api.h>

namespace weft {

/// An associative operator on elements, written in GLSL. A plain value.
struct WEFT_API Operator {
  std::string name;      ///< For messages.
  std::string combine;   ///< GLSL expression of `a` and `b`, the earlier and the later operand: "a + b".
  std::string identity;  ///< GLSL expression e with combine(e, x) == x. Empty for Weft's own operators, whose identity
                         ///< follows from the type.
  bool commutative = true;
  std::string nothing{};  ///< GLSL expression of the result of no elements, which an exclusive scan starts with. Empty:
                          ///< the identity, or for Weft's own operators what follows from the type.

  /// Weft's own operators, for scalars; plans for structs throw invalid_argument for them. sum() wraps on integer
  /// overflow and adds floats in an order that depends on the device.
  static Operator sum();
  /// Of floats, NaN gives way to every number, and -0 is below 0: the result is NaN only if all elements are. Of no
  /// elements it is the type's largest or smallest value; of floats, infinity or -infinity.
  static Operator min();
  static Operator max();
  /// An operator of your own. It must be associative. Set `commutative` if it is, which makes reductions faster.
  ///
  ///   Operator::custom("vec_add", "T(a.x + b.x, a.y + b.y)", "T(0.0, 0.0)", true)
  ///
  /// `T` is the element type in both expressions.
  static Operator custom(std::string name, std::string combine, std::string identity, bool commutative = false);
};

}  // namespace weft
