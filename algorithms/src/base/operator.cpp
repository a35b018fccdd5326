#include <weft/operator.h>

#include <weft/error.h>
#include <weft/transform.h>

namespace weft {

Operator Operator::sum() { return {"sum", "a + b", {}, true, {}}; }
Operator Operator::min() { return {"min", "weft_lower(a, b)", {}, true, {}}; }
Operator Operator::max() { return {"max", "weft_upper(a, b)", {}, true, {}}; }

Operator Operator::custom(std::string name, std::string combine, std::string identity, bool commutative) {
  if (combine.empty() || identity.empty()) {
    throw Error(ErrorCode::invalid_argument,
                "Operator '" + name + "' needs two GLSL expressions: how to combine a and b, and its identity.");
  }
  return {std::move(name), std::move(combine), std::move(identity), commutative, {}};
}

Transform Transform::of(Element from, std::string expression) {
  return {std::move(from), std::move(expression), false};
}
Transform Transform::of_two(Element from, std::string expression) {
  return {std::move(from), std::move(expression), true};
}

}  // namespace weft
