#include "algorithms/src/base/user_expressions.h"

#include "core/src/runtime/messages.h"

namespace weft::algorithms {

void define_equality(KernelMaker& maker, const Element& element, const Equality& equality) {
  if (equality.same.empty()) {
    maker.define("WEFT_SAME", element.is_struct() ? "weft_to_words(a) == weft_to_words(b)" : "a == b");
  } else {
    maker.expression("WEFT_SAME", "equality", equality.same);
  }
}

void define_transform(KernelMaker& maker, const Transform& transform) {
  if (transform.expression.empty()) {
    core::invalid(maker.primitive(), "a transform needs a GLSL expression of x, such as \"T(x)\".");
  }
  maker.key(transform.from);
  maker.expression("WEFT_TRANSFORM", "transform", transform.expression, "of " + transform.from.name());
  if (transform.two) maker.define("WEFT_TRANSFORM_TWO");
}

void define_initial(KernelMaker& maker, const std::string& initial) {
  if (!initial.empty()) maker.expression("WEFT_INITIAL", "initial element", initial);
}

}  // namespace weft::algorithms
