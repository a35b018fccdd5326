#pragma once

#include <string>

namespace weft {

/// An associative operator on elements, written in GLSL. A plain value.
struct Operator {
  std::string name;      ///< For messages.
  std::string combine;   ///< GLSL expression of `a` and `b`, the earlier and the later operand: "a + b".
  std::string identity;  ///< GLSL expression e with combine(e, x) == x; empty for Weft's own, which know it by type.
  bool commutative = true;

  /// Weft's own, of scalars; plans of structs throw invalid_argument for them. sum() wraps on integer overflow;
  /// floating point in an order that depends on the device.
  static Operator sum();
  /// Smallest and largest; of floats as GLSL's min and max, which may return either operand when one is NaN.
  static Operator min();
  static Operator max();
  /// A user's operator. It must be associative; say so when it is commutative too, which lets reductions go faster.
  ///
  ///   Operator::custom("vec_add", "T(a.x + b.x, a.y + b.y)", "T(0.0, 0.0)", true)
  ///
  /// `T` is the element type in both expressions.
  static Operator custom(std::string name, std::string combine, std::string identity, bool commutative = false);
};

}  // namespace weft
